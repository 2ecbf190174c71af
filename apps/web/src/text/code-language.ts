/** Extensions and names of files, by the language they are highlighted in. */
const files: Readonly<Record<string, string>> = {
  bash: 'sh bash zsh',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh hxx',
  csharp: 'cs',
  css: 'css',
  diff: 'diff patch',
  go: 'go',
  graphql: 'graphql gql',
  ini: 'ini toml cfg conf properties',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonc geojson webmanifest ipynb',
  kotlin: 'kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'makefile mk',
  markdown: 'md markdown',
  objectivec: 'm mm',
  perl: 'pl pm',
  php: 'php',
  python: 'py pyi',
  r: 'r',
  ruby: 'rb gemfile rakefile',
  rust: 'rs',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts mts cts tsx',
  vbnet: 'vb',
  xml: 'xml html htm xhtml svg vue plist xsl xsd rss atom',
  yaml: 'yaml yml',
};

const byFile = new Map(
  Object.entries(files).flatMap(([language, names]) =>
    names.split(' ').map((name) => [name, language] as const),
  ),
);

/** Types of content, for files whose name doesn't tell. */
const types: readonly (readonly [RegExp, string])[] = [
  [/json$/, 'json'],
  [/xml$|html$/, 'xml'],
  [/javascript$/, 'javascript'],
  [/yaml$/, 'yaml'],
  [/css$/, 'css'],
  [/markdown$/, 'markdown'],
  [/sql$/, 'sql'],
  [/x-sh$/, 'bash'],
];

/** Returns the language of a text file; null for plain text. */
export function languageOf(name: string, mediaType: string): string | null {
  const last = name.toLowerCase().split('.').at(-1) ?? '';
  return byFile.get(last) ?? types.find(([type]) => type.test(mediaType))?.[1] ?? null;
}
