// Rules over all roots of the repository: which root may import which, no circles, and no type name
// that is declared again and again.

import { exportedTypesIn, importsOf, isFake, isTest, type Import, type Sources } from './sources.ts'

const roots = ['contract', 'server/src', 'server/test', 'dashboard', 'tools', 'devserver', 'testbed', 'e2e'] as const
type Root = (typeof roots)[number]

/** A folder or file that may be imported; `types` if nothing else may be. */
type Arrow = { to: string; only?: 'types' | 'tests' }

/** Allowed imports between roots. Every root may import itself; what is not listed is forbidden. */
export const arrows: Readonly<Record<Root, readonly Arrow[]>> = {
  contract: [],
  'server/src': [{ to: 'contract' }, { to: 'testbed', only: 'tests' }],
  dashboard: [{ to: 'contract' }],
  // The lifecycle of domains is a document that is generated from its table; the budget of a site is that of its pages.
  tools: [{ to: 'contract' }, { to: 'server/src/domains/lifecycle' }, { to: 'server/src/sites' }],
  devserver: [{ to: 'contract' }, { to: 'server/src' }, { to: 'tools' }],
  testbed: [
    { to: 'contract' },
    { to: 'server/src' },
    { to: 'tools' },
    { to: 'devserver' },
    { to: 'dashboard/src/catalogue/entries.ts', only: 'types' },
  ],
  'server/test': [{ to: 'contract' }, { to: 'server/src' }, { to: 'tools' }, { to: 'devserver' }, { to: 'testbed' }],
  e2e: [
    { to: 'contract' },
    { to: 'server/src' },
    { to: 'tools' },
    { to: 'devserver' },
    { to: 'testbed' },
    { to: 'dashboard/src/texts' },
    { to: 'dashboard/src/catalogue/entries.ts', only: 'types' },
  ],
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)
const rootOf = (path: string) => roots.find((root) => isIn(path, root))

const permits = ({ to, only }: Arrow, one: Import) =>
  isIn(one.to, to) && (only === undefined || (only === 'types' ? one.isType : isTest(one.from)))

/** A path in no root at all counts as well: only packages are free. */
const between = (sources: Sources) =>
  importsOf(sources).filter(({ from, to, isPackage }) => !isPackage && rootOf(from) !== rootOf(to))

const arrowsFrom = (file: string): readonly Arrow[] => {
  const root = rootOf(file)
  return root === undefined ? [] : arrows[root]
}

export const forbiddenArrows = (sources: Sources): string[] =>
  between(sources)
    .filter((one) => !arrowsFrom(one.from).some((arrow) => permits(arrow, one)))
    .map(({ from, to }) => `${from} may not import ${to}`)

/** The table is as narrow as the code: an arrow that no import needs is removed. */
export const unusedArrows = (sources: Sources): string[] =>
  Object.entries(arrows).flatMap(([root, list]) =>
    list
      .filter((arrow) => !between(sources).some((one) => rootOf(one.from) === root && permits(arrow, one)))
      .map(({ to }) => `${root} → ${to}`),
  )

const runsInProduction = (file: string) =>
  ['contract', 'server/src', 'dashboard', 'devserver'].includes(rootOf(file) ?? '')

export const testsInProduction = (sources: Sources): string[] =>
  importsOf(sources)
    .filter(({ from }) => runsInProduction(from) && !isTest(from) && !isFake(from))
    .filter(({ to }) => isTest(to) || isFake(to))
    .map(({ from, to }) => `${from} imports ${to}`)

/** What a helper does when it is imported happens once for all files of a worker, and ends with the first of them. */
const atImport = /^(?:(?:before|after)(?:All|Each)\(|(?:export )?const .* = await )/m
const runsBesideTests = /^(?:server\/test|testbed\/(?:harness|internet|samples)|e2e)\//

export const helpersThatActAtImport = (sources: Sources): string[] =>
  [...sources]
    .filter(([file, text]) => runsBesideTests.test(file) && !isTest(file) && atImport.test(text))
    .map(([file]) => file)

/** Imports of types and lazy imports count: neither file can be understood, moved or tested without the other. */
export function circles(sources: Sources): string[] {
  const targets = new Map([...sources.keys()].map((file) => [file, new Set<string>()]))
  for (const { from, to } of importsOf(sources)) targets.get(from)?.add(to)
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const next of targets.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) walk(file, [])
  return found
}

const DECLARED_MAX = 2

/** Names of exported types that are declared in more than two files, each with the number of files. */
export function repeatedTypes(sources: Sources): Record<string, number> {
  const files = new Map<string, number>()
  for (const text of sources.values()) {
    for (const name of new Set(exportedTypesIn(text))) files.set(name, (files.get(name) ?? 0) + 1)
  }
  return Object.fromEntries([...files].filter(([, count]) => count > DECLARED_MAX))
}
