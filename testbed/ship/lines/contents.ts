// A release contains what it is meant to contain. Its bill of materials is what is installed, NOTICE names all
// of it, and no text leads to a package of another author.

import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { missingIn } from '../../../tools/release/notice.ts'
import { run } from '../../../tools/release/run.ts'
import { bomFaults, type Bom } from '../../../tools/release/sbom.ts'
import { strayFiles } from '../../../tools/release/shipped.ts'
import { filesIn } from '../../../tools/release/tree.ts'
import { changed } from '../forms.ts'
import { none, noticed, type ShipLine } from '../line.ts'
import type { Workshop } from '../workshop.ts'

const treesOf = (workshop: Workshop) => {
  const { folder, version } = workshop.release()
  const trees = ['npm/petstore', `linux-x64/petstore/${version}`, 'image/context/petstore']
  return trees.map((path) => join(folder, 'build', path))
}

type Named = { name: string; version: string }
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** In the npm package, what npm will install on any platform. */
function packagesIn(tree: string): Named[] {
  const lock = join(tree, 'npm-shrinkwrap.json')
  if (existsSync(lock)) {
    const { packages } = read(lock) as { packages: Record<string, { version: string }> }
    return Object.entries(packages).flatMap(([path, { version }]) =>
      path === '' ? [] : [{ name: path.split('node_modules/').at(-1) ?? '', version }],
    )
  }
  // Packages have further manifests inside, which are not those of packages.
  const manifest = /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/
  const files = globSync('**/node_modules/**/package.json', { cwd: tree }).filter((path) => manifest.test(path))
  return files.map((path) => read(join(tree, path)) as Named)
}

function checked(tree: string): number {
  const packages = packagesIn(tree)
  none('stray files', strayFiles(filesIn(tree)))
  const installed = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  none('differences between SBOM and tree', bomFaults(read(join(tree, 'sbom.cdx.json')) as Bom, installed))
  none('packages that NOTICE lacks', missingIn(readFileSync(join(tree, 'NOTICE'), 'utf8'), packages))
  return installed.size
}

/** Tests may contain the words that they look for. */
const isText = (path: string) =>
  /\.(md|ts|tsx|js|json|yaml)$/.test(path) && !/\.test\.ts$|(^|\/)(node_modules|release)\//.test(path)
const foreign = /npx\s+(-\S+\s+)*petstore\b/
const leading = (folder: string, files: readonly string[]) =>
  files.filter((file) => foreign.test(readFileSync(join(folder, file), 'utf8')))

export const contents: ShipLine = {
  name: 'contents',
  title: 'no test, fake or development file is shipped; SBOM = tree; NOTICE is complete',
  async run(workshop) {
    const [inPackage = 0, inTarball = 0, inImage = 0] = treesOf(workshop).map(checked)
    const { clone } = workshop.release()
    const texts = run('git', ['ls-files'], { cwd: clone }).output.split('\n').filter(isText)
    none("texts that lead to another author's package", leading(clone, texts))
    return {
      'packages in the lock': inPackage,
      'in the tarball': inTarball,
      'in the image': inImage,
      texts: texts.length,
    }
  },
  control: {
    title: 'one stray file, one package that is not listed, and one wrong text are found',
    async run(workshop) {
      const [tree = ''] = treesOf(workshop)
      const withFile = (path: string, text: string) => {
        changed(tree, path, text)
        try {
          checked(tree)
          none('wrong texts', leading(tree, [path]))
        } finally {
          rmSync(join(tree, path))
        }
      }
      const lock = readFileSync(join(tree, 'npm-shrinkwrap.json'), 'utf8')
      const found = [
        await noticed(() => withFile('dist/pets/pet.test.js', ''), /1 stray files/),
        await noticed(() => withFile('dist/text.js', ['npx', 'petstore'].join(' ')), /1 wrong texts/),
      ]
      const more = lock.replace('"packages": {', '"packages": { "node_modules/stray": { "version": "1.0.0" },')
      changed(tree, 'npm-shrinkwrap.json', more)
      try {
        found.push(await noticed(() => checked(tree), /stray@1\.0\.0 is installed and not listed/))
      } finally {
        changed(tree, 'npm-shrinkwrap.json', lock)
      }
      return { noticed: found.join('; ') }
    },
  },
}
