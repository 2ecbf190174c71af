/** A field of a JSON text that holds a secret. Its value may have escaped quotes. */
const secretField = /"(\w*[pP]assword|refreshToken|token|code|verifier)":("(?:[^"\\]|\\.)*")/g;

/** Shows a body without its secrets. */
export function withoutSecrets(body: string): string {
  return body.replaceAll(secretField, '"$1":"…"');
}

/** Lists the secrets in a body, without the escapes of JSON. */
export function secretsIn(body: string): string[] {
  return Array.from(body.matchAll(secretField), ([, , value = '""']) => String(JSON.parse(value)));
}
