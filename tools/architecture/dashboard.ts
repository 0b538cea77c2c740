// Rules of dashboard/src: it loads no schemas, sends requests in one place, and its features do not import each
// other. Paths are relative to it.

import { importsOf, type Sources } from './sources.ts'

/** The modules of the contract that hold no schema, and load none. */
const light = new Set([
  'contract/src/breeds.ts',
  'contract/src/calendar-day.ts',
  'contract/src/client.ts',
  'contract/src/photo-files.ts',
  'contract/src/platform/calls.ts',
  'contract/src/platform/client.ts',
  'contract/src/platform/profile-inputs.ts',
  'contract/src/platform/spelled-dates.ts',
  'contract/src/platform/spelled-numbers.ts',
  'contract/src/platform/spelled-words.ts',
  'contract/src/platform/usual-questions.ts',
  'contract/src/portraits.ts',
])
/** One word for each idea on screens: a project is a store, and the kind of an animal its category. */
const otherWord = /\b(?:projects?|kinds?)\b/i
/** The procedure for domains names the first; a store is a shop or a shelter; the last is friendly. */
const allowedWords = /\bproject settings\b|\bkind of (?:the )?store\b|\bkind message\b/gi

/** Texts with a word that screens say otherwise. Names in code and what is inserted keep theirs. */
export const otherWords = (sources: Sources): string[] =>
  [...sources]
    .filter(([file]) => file.startsWith('texts/en/'))
    .flatMap(
      ([file, source]) =>
        source
          .replaceAll(/^ *(?:import |\/\/|\/?\*).*$/gm, '')
          .match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)
          ?.filter((text) => otherWord.test(text.replaceAll(/\$\{[^}]*\}/g, '').replaceAll(allowedWords, '')))
          .map((text) => `${file}: ${text}`) ?? [],
    )

/** For every feature; every other folder belongs to one. */
const shared = ['ui', 'texts', 'shell']
/** The allowed imports of ui/ besides itself and the texts. */
const openToUi = ['api.ts', 'lazy-load.ts']

const folderOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '')

/** Imports that are in the bundle: those of types are not. */
const loaded = (sources: Sources) => importsOf(sources).filter(({ isPackage, isType }) => !isPackage && !isType)

export const forbiddenImports = (sources: Sources): string[] =>
  loaded(sources).flatMap(({ from, to }) => {
    const [folder, other] = [folderOf(from), folderOf(to)]
    if (to.startsWith('contract/src/')) return light.has(to) ? [] : [`${from}: ${to} loads schemas`]
    if (to.startsWith('..')) return [`${from}: ${to} is outside of dashboard/src`]
    if (folder === 'ui' && other !== 'ui' && other !== 'texts' && !openToUi.includes(to)) {
      return [`${from}: shared components may not import ${to}`]
    }
    const isOwn = folder === '' || other === '' || other === folder || shared.includes(other)
    // The catalogue shows the components of features; nothing that is built for people imports it.
    const mayImportFeatures = folder === 'shell' || folder === 'catalogue'
    return isOwn || mayImportFeatures ? [] : [`${from}: imports ${to} of another feature`]
  })

/** Paths are relative to the repository. */
export const schemasBehind = (all: Sources): string[] =>
  importsOf(all)
    .filter(({ from, to, isType }) => light.has(from) && !isType && !light.has(to))
    .map(({ from, to }) => `${from}: ${to} loads schemas`)

/** Style sheets stay once they are loaded: a class that two features define looks different after a visit to the other. */
export function sharedClasses(sheets: Sources): string[] {
  const owners = new Map<string, Set<string>>()
  for (const [file, text] of sheets) {
    const selectors = [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{/g)].flatMap(([, all = '']) =>
      all.split(','),
    )
    for (const name of selectors.map((one) => one.trim()).filter((one) => /^\.[\w-]+$/.test(one))) {
      owners.set(name, new Set([...(owners.get(name) ?? []), folderOf(file)]))
    }
  }
  return [...owners].filter(([, folders]) => folders.size > 1).map(([name]) => name)
}

const filesWith = (form: RegExp) => (sources: Sources) =>
  [...sources].filter(([, text]) => form.test(text)).map(([file]) => file)

export const sendersAndHtmlWriters = filesWith(/\bfetch\(|XMLHttpRequest|innerHTML|document\.write/)
export const makersOfDialogs = filesWith(/<(Modal|Drawer)\b/)

/** The first part of each address that has a page. */
export function pagesOf(router: string): Set<string> {
  const paths = router.matchAll(/getParentRoute: \(\) => root,\s*path: '([^']*)'/g)
  return new Set([...paths].map(([, path = '']) => path.split('/').find((part) => part !== '') ?? ''))
}
