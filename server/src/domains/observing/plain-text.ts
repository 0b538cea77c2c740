// `plainText` makes text from untrusted servers safe to log and display: truncated, with
// non-printable and non-ASCII characters as \ddd.

export const plainText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[^\x20-\x7e]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`)
