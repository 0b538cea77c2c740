// The catalogue page, built for each run and served with the headers of the dashboard, and
// therefore with its content security policy. The entries are embedded in the page as data.

import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { CatalogueEntry, Shown } from '../../dashboard/src/catalogue/entries.ts'
import { dashboardHeaders } from '../../server/src/web/dashboard-page.ts'
import { buildForPeople } from '../../tools/bundle.ts'
import { startBrowser } from '../../testbed/harness/browser.ts'
import { open, type Opened, type OpenOptions } from './browser-environment.ts'

export type CatalogueEnvironment = {
  browser: Browser
  /** Opens a page with these entries. */
  show(title: string, entries: readonly CatalogueEntry[], options?: OpenOptions): Promise<Opened>
  /** Opens the page of the shared parts. */
  showParts(title: string): Promise<Opened>
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export async function startCatalogue(): Promise<CatalogueEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-'))
  await build(folder)
  const page = await readFile(join(folder, 'catalogue.html'), 'utf8')
  const shown = new Map<string, string>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://catalogue').pathname
    const data = shown.get(path)
    const body = data === undefined ? readFile(join(folder, path)) : Promise.resolve(withData(page, data))
    const type = types[data === undefined ? extname(path) : '.html'] ?? 'application/octet-stream'
    body.then(
      (bytes) => response.writeHead(200, { ...dashboardHeaders, 'content-type': type }).end(bytes),
      () => response.writeHead(404, dashboardHeaders).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = await startBrowser()
  const openWith = async (data: Shown, options?: OpenOptions) => {
    const path = `/shown-${shown.size}`
    shown.set(path, JSON.stringify(data))
    const opened = await open(browser, origin, path, options)
    await opened.page.getByRole('heading', { level: 1, name: data.title }).waitFor()
    return opened
  }
  return {
    browser,
    show: (title, entries, options) => openWith({ title, entries }, options),
    showParts: (title) => openWith({ title, parts: true }),
    async close() {
      await browser.close()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Escapes `<`, which could end the element that contains the data. */
const withData = (page: string, data: string): string =>
  page.replace(/(id="entries">)[^<]*/, (_, tag: string) => tag + data.replaceAll('<', '\\u003c'))

async function build(outDir: string): Promise<void> {
  const root = join(import.meta.dirname, '../../dashboard')
  await buildForPeople({
    root,
    base: '/',
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(root, 'catalogue.html') },
    },
  })
}
