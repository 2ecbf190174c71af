/** Sets of tools for assistants; each group is in one of them, or in none. */
export const toolsets = ['work', 'library', 'search', 'members', 'audit'] as const;

export type Toolset = (typeof toolsets)[number];

/** The sets that an assistant gets unless it asks for others. */
export const defaultToolsets: readonly Toolset[] = ['work', 'library', 'search'];
