// What `tools/count.ts` counts, from the paths of a commit and the texts of its sources.

export type Mass = ReturnType<typeof countOf>

/** Texts by path; files whose text is not counted may be empty. */
export function countOf(files: ReadonlyMap<string, string>) {
  const production = [...files].filter(
    ([name]) => /^server\/src\/.*\.ts$/.test(name) && !/\.(test|fake)\.ts$/.test(name),
  )
  const testbed = [...files].filter(([name]) => /^testbed\/.*\.ts$/.test(name))
  const besides = (folder: string) => production.filter(([name]) => folderOf(name) === folder).length
  return {
    'server/src, lines without tests': linesOf(production),
    'server/src, files without tests': production.length,
    'server/src, files at its root': besides('server/src'),
    'server/src/animals, files side by side': besides('server/src/animals'),
    'largest folder of server/src, files': Math.max(0, ...production.map(([name]) => besides(folderOf(name)))),
    'types named …Deps or …Options': found(production, /^(?:export )?(?:type|interface) \w*(?:Deps|Options)\b/gm),
    'every(…) outside a schedule': found(
      production.filter(([name]) => !name.endsWith('/schedule.ts')),
      /(?<![.\w])every\(/g,
    ),
    'testbed, lines': linesOf(testbed),
    migrations: named(files, /^server\/migrations\/\d+.*\.sql$/),
    decisions: named(files, /^docs\/decisions\/\d+.*\.md$/),
  }
}

type Texts = readonly (readonly [name: string, text: string])[]

const folderOf = (name: string) => name.slice(0, name.lastIndexOf('/'))
const linesOf = (texts: Texts) => texts.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0)
const found = (texts: Texts, pattern: RegExp) =>
  texts.reduce((sum, [, text]) => sum + [...text.matchAll(pattern)].length, 0)
const named = (files: ReadonlyMap<string, string>, pattern: RegExp) =>
  [...files.keys()].filter((name) => pattern.test(name)).length
