/** The first line, without control characters: a mail server's answer must not steer a terminal. */
export function singleLine(text: string): string {
  const [line = ''] = text.split(/[\r\n\u2028\u2029]/, 1);
  return line.replaceAll(/\p{C}/gu, '').trim();
}

/** Leaves of every email in a text its first character and the domain: `a…@example.com`. */
export function withMaskedEmails(text: string): string {
  return text.replaceAll(/([^\s@<>()[\]"',:;])[^\s@<>()[\]"',:;]*@(?=[^\s@])/gu, '$1…@');
}
