/** Returns the first line, without control characters: a mail server's response must not control a terminal. */
export function singleLine(text: string): string {
  const [line = ''] = text.split(/[\r\n\u2028\u2029]/, 1);
  return line.replaceAll(/\p{C}/gu, '').trim();
}

/** Masks every email in a text except for its first character and the domain: `a…@example.com`. */
export function withMaskedEmails(text: string): string {
  return text.replaceAll(/([^\s@<>()[\]"',:;])[^\s@<>()[\]"',:;]*@(?=[^\s@])/gu, '$1…@');
}
