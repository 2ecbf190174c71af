import type { ToolDeclaration } from '@atelier/contract';

let loaded: Promise<ReadonlyMap<string, ToolDeclaration>> | undefined;

/** Loads the operations that assistants call as tools, by name. Most processes never need the hundreds of kilobytes. */
export function loadTools(): Promise<ReadonlyMap<string, ToolDeclaration>> {
  return (loaded ??= load());
}

async function load() {
  const { default: declared } = await import('@atelier/contract/tools.json', {
    with: { type: 'json' },
  });
  // The generator writes this type; TypeScript sees the literals of a JSON module as strings.
  const tools = declared as unknown as readonly ToolDeclaration[];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
