// The links and paths of Markdown documents, as data: what a document names and the repository does not have. A function of
// the documents and of the names of files, so that a test can break a document without writing one.

import { dirname, join, matchesGlob } from 'node:path'

/** Files of the repository by their paths; Markdown documents with their text. */
export type Repository = { files: ReadonlySet<string>; documents: ReadonlyMap<string, string> }

type Target = { file: string; anchor: string | undefined }

/** Built by `npm run build`, so they are missing from a fresh checkout. */
const built = ['server/public/']
const withExtension = /\.(?:tsx?|sql|css|md)$/

/** One line for each link, path and decision that a document names and that does not exist. */
export function brokenIn({ files, documents }: Repository): string[] {
  const names = namesOf(files)
  return [...documents].flatMap(([document, text]) => {
    const prose = withoutFences(text)
    const broken = [
      ...linksIn(prose).filter((link) => !isLinked(targetOf(document, link), names, documents)),
      ...paragraphsOf(prose).flatMap((paragraph) => missingPaths(paragraph, names)),
      ...missingDecisions(prose, files),
    ]
    return broken.map((name) => `${document}: ${name}`)
  })
}

/** Numbers of decisions that a text names and that have no page. */
export function missingDecisions(text: string, files: ReadonlySet<string>): string[] {
  const numbers = [...text.matchAll(/\bdecisions?(?:\s|\/\/|\*)+(\d+(?:(?:, | and )\d+)*)/gi)].flatMap(
    ([, list = '']) => list.split(/\D+/),
  )
  const hasPage = (number: string) => matching(files, `docs/decisions/${number.padStart(4, '0')}-*.md`)
  return numbers.filter((number) => !hasPage(number)).map((number) => `decision ${number}`)
}

type Names = { all: ReadonlySet<string>; roots: ReadonlySet<string>; features: ReadonlySet<string> }

/** Files and the folders above them; folders end in a slash. */
function namesOf(files: ReadonlySet<string>): Names {
  const folders = [...files].flatMap((file) => {
    const parts = file.split('/').slice(0, -1)
    return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
  })
  const all = new Set([...files, ...folders])
  const below = (prefix: string) =>
    new Set([...all].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length).split('/')[0]))
  const isFolder =
    (prefix: string) =>
    (name: string | undefined): name is string =>
      all.has(`${prefix}${name}/`)
  return {
    all,
    roots: new Set([...below('')].filter(isFolder(''))),
    features: new Set([...below('server/src/')].filter(isFolder('server/src/'))),
  }
}

const matching = (names: ReadonlySet<string>, pattern: string) =>
  /[*{]/.test(pattern)
    ? [...names].some((name) => matchesGlob(name, pattern))
    : names.has(pattern) || names.has(`${pattern}/`)

const withoutFences = (text: string) => text.replace(/^ *```[^]*?^ *```/gm, '')

/** What a reader takes in at once: a cell of a table, or the lines up to an empty one. */
const paragraphsOf = (text: string) =>
  text.split(/\n\s*\n|^\|/m).flatMap((part) => (part.includes(' | ') ? part.split(' | ') : [part]))

const linksIn = (text: string) =>
  [...text.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))

function targetOf(document: string, link: string): Target {
  const [path = '', anchor] = link.split('#')
  return { file: path === '' ? document : join(dirname(document), decodeURIComponent(path)), anchor }
}

function isLinked({ file, anchor }: Target, { all }: Names, documents: ReadonlyMap<string, string>): boolean {
  if (!matching(all, file.replace(/\/$/, ''))) return false
  const text = documents.get(file)
  return anchor === undefined || (text !== undefined && anchorsOf(text).has(anchor))
}

/** The anchors that GitHub gives to headings: words joined by hyphens, and a number for the second of the same name. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const headings = [...withoutFences(text).matchAll(/^#+ +(.+?) *$/gm)].map(([, title = '']) => {
    const words = title
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, '')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    const anchor = words.replace(/\s/g, '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  const written = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)
  return new Set([...headings, ...written])
}

/** Paths in backticks. `a/b.ts`, `c.ts` names two files of one folder. */
function missingPaths(paragraph: string, names: Names): string[] {
  const missing: string[] = []
  let folder: string | undefined
  let end = -1
  for (const { 0: whole, 1: code = '', index } of paragraph.matchAll(/`([^`]+)`/g)) {
    const follows = /^(?:\*\*)?(?:,| and|, and)\s+(?:\*\*)?$/.test(paragraph.slice(end, index))
    const found = candidatesOf(code, follows ? folder : undefined, names)
    if (found && !found.some((path) => matching(names.all, path))) missing.push(`\`${code}\``)
    if (code.includes('/')) folder = found === undefined ? undefined : dirname(found[0] ?? '')
    end = index + whole.length
  }
  return missing
}

/** Where a path may be; undefined if the code is no path, such as a suffix, or only a pattern for people. */
function candidatesOf(code: string, folder: string | undefined, { roots, features }: Names): string[] | undefined {
  if (!/^[\w*{][\w.*{},/-]*$/.test(code) || /NNNN|\.\.\./.test(code) || built.some((path) => code.startsWith(path)))
    return undefined
  const path = code.replace(/\/$/, '')
  const [first = ''] = path.split('/')
  const isDeep = path.includes('/')
  if (isDeep && roots.has(first)) return [path, `server/src/${path}`]
  if (isDeep && features.has(first)) return [`server/src/${path}`]
  if (!withExtension.test(path)) return undefined
  return folder === undefined ? [`**/${path}`, path] : [`${folder}/${path}`]
}
