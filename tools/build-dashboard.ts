// Builds the dashboard for the server's own origin, and measures its bundles: npm run build -- dashboard
//
// Into server/public/dashboard go index.html and, in assets, all that it loads, each with
// a hash in its name. A folder made from the same sources is left alone, so `npm run dev`
// may call this every time.

import { readFile, stat } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFolder, buildForPeople, compressAll, digestOf, hashedNames } from './bundle.ts'
import { kB } from './kilobytes.ts'
import { firstLoadOf, preloadedFonts, routesOf, type FirstLoadPart, type Manifest } from './dashboard-bundle-size.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** For the bundle-size check; the server does not serve it. */
const MANIFEST = 'manifest.json'
/** As the manifest names it. */
const DOMAINS_PAGE = 'src/domains/domains-page.tsx'

/** Returns true if there was anything to build. */
export async function buildDashboard(outDir: string): Promise<boolean> {
  return buildFolder(outDir, await digestOf(root, sources()), async (folder) => {
    await bundle(folder)
    await compressAll(join(folder, 'assets'))
  })
}

/** For developers of the server who need not fix the dashboard first: the previous build continues to be served. */
export async function tryBuildDashboard(outDir: string): Promise<void> {
  await buildDashboard(outDir).catch((error: unknown) => {
    process.stderr.write(`The dashboard could not be built: ${String(error)}\n`)
  })
}

/** Everything the result depends on. What only tests read is not among it. */
function sources(): string[] {
  const own = ['dashboard/**/*', 'contract/src/**/*', 'server/assets/**/*']
  const how = ['tools/build-dashboard.ts', 'tools/bundle.ts', 'package-lock.json']
  const isSource = (file: string) => !/node_modules|\.test\.tsx?$/.test(file)
  return globSync([...own, ...how], { cwd: root, withFileTypes: true, exclude: ['**/node_modules'] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isSource(file.slice(root.length)))
}

async function bundle(outDir: string): Promise<void> {
  await buildForPeople({
    root: join(root, 'dashboard'),
    base: '/',
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      manifest: MANIFEST,
      // Every supported browser can preload modules natively.
      modulePreload: { polyfill: false },
      rolldownOptions: { output: hashedNames('assets') },
    },
  })
}

type Weight = { file: string; gzip: number; brotli: number }

/** As it goes over the wire: what is not worth compressing goes as it is. */
async function weigh(outDir: string, file: string): Promise<Weight> {
  const sizeOf = (suffix: string) => stat(join(outDir, file + suffix)).then(({ size }) => size)
  const plain = await sizeOf('')
  const [gzip, brotli] = await Promise.all(['.gz', '.br'].map((suffix) => sizeOf(suffix).catch(() => plain)))
  return { file, gzip: gzip ?? plain, brotli: brotli ?? plain }
}

const total = (weights: readonly Weight[], key: 'gzip' | 'brotli') =>
  weights.reduce((sum, weight) => sum + weight[key], 0)

type Weights = { gzip: number; brotli: number }
type Measured = {
  isNew: boolean
  firstLoad: { page: string; files: Record<FirstLoadPart, Weight[]> } & Record<FirstLoadPart, Weights>
  routes: { route: string; weights: Weight[] }[]
}

/** Builds it if its sources changed, and measures what a browser loads. */
export async function measureDashboard(outDir: string): Promise<Measured> {
  const isNew = await buildDashboard(outDir)
  const manifest = JSON.parse(await readFile(join(outDir, MANIFEST), 'utf8')) as Manifest
  const weighAll = (files: readonly string[]) => Promise.all(files.map((file) => weigh(outDir, file)))
  const routes = await Promise.all(
    routesOf(manifest).map(async ({ route, files }) => ({ route, weights: await weighAll(files) })),
  )
  const first = firstLoadOf(manifest, DOMAINS_PAGE)
  const files = {
    script: await weighAll(first.scripts),
    style: await weighAll(first.styles),
    font: await weighAll(preloadedFonts(await readFile(join(outDir, 'index.html'), 'utf8'))),
  }
  const sumOf = (weights: readonly Weight[]) => ({ gzip: total(weights, 'gzip'), brotli: total(weights, 'brotli') })
  const sums = { script: sumOf(files.script), style: sumOf(files.style), font: sumOf(files.font) }
  return { isNew, firstLoad: { page: DOMAINS_PAGE, ...sums, files }, routes }
}

export const dashboardLines = ({ isNew, firstLoad, routes }: Measured): string[] => [
  isNew ? 'The dashboard was built.' : 'The dashboard is as its sources are.',
  ...routes.map(({ route, weights }) => line(route, weights)),
  'First load of the domains page:',
  line('  script', firstLoad.files.script),
  line('  style', firstLoad.files.style),
  line('  font', firstLoad.files.font),
]

const line = (name: string, weights: readonly Weight[]) =>
  `${name.padEnd(44)} ${kB(total(weights, 'gzip')).padStart(9)} gzip ${kB(total(weights, 'brotli')).padStart(9)} brotli`
