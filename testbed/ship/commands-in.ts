// Reads the commands of a document, so that a drill runs what an operator would type, and not a copy of it.

/** The commands of the first shell block below this heading, without their comments. */
export function commandsIn(document: string, heading: string): string[] {
  const start = document.indexOf(`\n${heading}\n`)
  if (start === -1) throw new Error(`The document has no heading "${heading}".`)
  const block = /\n```sh\n(.*?)\n```/s.exec(document.slice(start))?.[1]
  if (block === undefined) throw new Error(`There is no shell block below "${heading}".`)
  return block
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}
