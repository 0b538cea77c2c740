// Bundles the API reference (Scalar) for the server's own origin: npm run build -- reference
//
// Scalar's own ready-made modules (esm.js) go through Vite once more, which adds our
// configuration and a hash to every name. Compressed, the page loads 650 kB this way and
// the try-out 245 kB more when it is opened; from the package's unbundled modules the
// page would load 880 kB, and with its standalone.js 960 kB.
// A folder made from the same sources is left alone, so `npm run dev` may call this every time.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFolder, buildForPeople, compressAll, digestOf, hashedNames } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scalar = join(root, 'node_modules/@scalar/api-reference')
const sources = ['reference-entry.js', 'reference.css', 'build-reference.ts', 'bundle.ts'].map((file) =>
  join(root, 'tools', file),
)

/** Returns true if there was anything to build. */
export async function buildReference(outDir: string): Promise<boolean> {
  return buildFolder(outDir, await stampOfSources(), async (folder) => {
    const names = await bundle(folder)
    await compressAll(folder)
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(names, null, 2))
  })
}

/** Everything the result depends on: the package's version, our own files and how they are built. */
async function stampOfSources(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(scalar, 'package.json'), 'utf8')) as { version: string }
  return `${version}-${await digestOf(root, sources)}`
}

async function bundle(outDir: string): Promise<{ script: string; styles: string[] }> {
  const result = await buildForPeople({
    root,
    base: '/docs/assets/',
    resolve: { alias: [{ find: /^@scalar\/api-reference$/, replacement: join(scalar, 'esm.js') }] },
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: '',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { reference: join(root, 'tools/reference-entry.js') },
        output: hashedNames(),
      },
    },
  })
  if (!('output' in result)) throw new Error('Vite returned no single bundle.')
  const script = result.output.find((file) => file.type === 'chunk' && file.isEntry)
  if (!script) throw new Error('Vite wrote no entry.')
  return {
    script: script.fileName,
    styles: result.output.map((file) => file.fileName).filter((name) => name.endsWith('.css')),
  }
}
