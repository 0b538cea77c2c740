// What strangers said, safe to log and to show: cut, and what is not plain as \ddd.

export const plainText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[^\x20-\x7e]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`)
