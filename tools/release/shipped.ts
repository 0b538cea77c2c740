// The list of what a release contains besides its packages. Everything that is not listed stays out, so a new kind of
// file is shipped because a line here names it, and never by accident. Pure.

/** Files that are copied as they are: by folder of the repository, the kinds of files in it. */
export const copied: readonly { from: string; to: string; kinds: RegExp }[] = [
  { from: 'server/migrations', to: 'migrations', kinds: /\.sql$/ },
  {
    from: 'server/assets',
    to: 'assets',
    kinds: /(\.(css|svg|woff2)|\/OFL-[\w-]+\.txt|\/common-passwords\.txt)$/,
  },
  { from: 'server/src/imports/spreadsheet/words', to: 'dist/imports/spreadsheet/words', kinds: /\.json$/ },
  { from: 'server/public', to: 'public', kinds: /\.(html|js|css|json|svg|png|woff2)(\.(br|gz))?$/ },
  { from: 'server/bin', to: 'bin', kinds: /\/install-packages$/ },
  { from: 'monitoring', to: 'monitoring', kinds: /\.(yaml|json)$/ },
  { from: 'server/units', to: 'units', kinds: /\.(service|socket|timer)$/ },
]

const generated = /^(package\.json|npm-shrinkwrap\.json|LICENSE|NOTICE|README\.md|CHANGELOG\.md|sbom\.cdx\.json)$/
const executables = /^bin\/(petstore\.js|petstore|node)$/
const compiledModule = /^dist\/[\w./-]+\.js$/
const development = /(\.(test|fake|bench)\.\w+|\.ts|\.tsx|\.map)$|(^|\/)(test|tests|testbed|devserver|dev|e2e|tools)\//

/** Files of a tree that have no place in a release. Packages in node_modules are the business of the SBOM. */
export function strayFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => !path.startsWith('node_modules/') && !isShipped(path))
}

function isShipped(path: string): boolean {
  if (development.test(path)) return false
  if (generated.test(path) || executables.test(path) || compiledModule.test(path)) return true
  return copied.some(({ to, kinds }) => path.startsWith(`${to}/`) && kinds.test(path))
}
