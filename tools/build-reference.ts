// Bundles the API reference (Scalar) for the server's own origin: node tools/build-reference.ts
//
// Scalar's own ready-made modules (esm.js) go through Vite once more, which adds our
// configuration and a hash to every name. Compressed, the page loads 650 kB this way and
// the try-out 245 kB more when it is opened; from the package's unbundled modules the
// page would load 880 kB, and with its standalone.js 960 kB.
// The finished folder takes the old one's place at once, and a folder made from the
// same sources is left alone, so `npm run dev` may call this every time.

import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const scalar = join(root, 'node_modules/@scalar/api-reference')
const sources = ['reference-entry.js', 'reference.css', 'build-reference.ts'].map((file) => join(root, 'tools', file))

export async function buildReference(outDir: string): Promise<void> {
  const stamp = await stampOfSources()
  if ((await stampOf(outDir)) === stamp) return

  const fresh = `${outDir}.${process.pid}`
  const names = await bundle(fresh)
  await Promise.all((await readdir(fresh)).map((file) => compress(join(fresh, file))))
  await writeFile(join(fresh, 'manifest.json'), JSON.stringify({ stamp, ...names }, null, 2))
  await rm(outDir, { recursive: true, force: true })
  await rename(fresh, outDir).catch(async (error: unknown) => {
    // Another process was quicker with the same.
    await rm(fresh, { recursive: true })
    if ((await stampOf(outDir)) !== stamp) throw error
  })
}

/** Everything the result depends on: the package's version, our own files and how they are built. */
async function stampOfSources(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(scalar, 'package.json'), 'utf8')) as { version: string }
  const hash = createHash('sha256')
  for (const file of sources) hash.update(await readFile(file))
  return `${version}-${hash.digest('hex').slice(0, 16)}`
}

async function stampOf(outDir: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8')) as { stamp: string }).stamp
  } catch {
    return undefined
  }
}

async function bundle(outDir: string): Promise<{ script: string; styles: string[] }> {
  const { build } = await import('vite') // only when needed: loading it takes longer than all else here
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
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
        output: {
          hashCharacters: 'hex',
          entryFileNames: '[name].[hash:10].js',
          chunkFileNames: '[name].[hash:10].js',
          assetFileNames: '[name].[hash:10][extname]',
        },
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

/** Quality 10 is within 2 % of the best and takes half the time. What fits into one packet stays as it is. */
async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < 1400) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}

if (import.meta.main) await buildReference(join(root, 'server/public/reference'))
