// Imports that are prepared through the API, up to the step that a test needs, and the spreadsheets for them.

import { strToU8, zipSync } from 'fflate'
import { vi } from 'vitest'
import type { BrowserOwner } from './browser-environment.ts'

type Found = { state: string; table: { columns: { index: number; field: string | null }[] }; reading: object }

/** Uploads a file and maps it as proposed; it waits for its review. */
export async function reviewImport({ ask, slug }: BrowserOwner, file: Blob, fileName: string): Promise<string> {
  const imports = `/projects/${slug}/imports`
  const { id } = await ask('POST', imports, { onBadLine: 'skip', isReviewed: true, fileName })
  const path = `${imports}/${String(id)}`
  await ask('PUT', `${path}/parts/1`, new Blob([file], { type: 'application/octet-stream' }))
  await ask('POST', `${path}/read`, { parts: 1 })
  const { table, reading } = await stateOf(ask, path, 'mapping')
  const columns = table.columns.map(({ index, field }) => ({ index, field }))
  await ask('PUT', `${path}/mapping`, { columns, ...reading })
  await stateOf(ask, path, 'reviewing')
  return String(id)
}

export async function applyImport(owner: BrowserOwner, file: Blob, fileName: string): Promise<string> {
  const id = await reviewImport(owner, file, fileName)
  const path = `/projects/${owner.slug}/imports/${id}`
  await owner.ask('POST', `${path}/apply`, { onBadLine: 'skip' })
  await stateOf(owner.ask, path, 'succeeded')
  return id
}

const stateOf = (ask: BrowserOwner['ask'], path: string, wanted: string): Promise<Found> =>
  vi.waitFor(
    async () => {
      const found = (await ask('GET', path)) as Found
      if (found.state !== wanted) throw new Error(JSON.stringify(found))
      return found
    },
    { timeout: 120_000, interval: 100 },
  )

/** An Excel file as spreadsheet programs write it, with one sheet. */
export function xlsxOf(rows: readonly (readonly (string | number)[])[]): Buffer {
  const text = new Map<string, number>()
  const cell = (value: string | number) => {
    if (typeof value === 'number') return `<c><v>${value}</v></c>`
    if (!text.has(value)) text.set(value, text.size)
    return `<c t="s"><v>${text.get(value)}</v></c>`
  }
  const lines = rows.map((row, at) => `<row r="${at + 1}">${row.map(cell).join('')}</row>`)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packaged = 'http://schemas.openxmlformats.org/package/2006'
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${types}.${type}+xml"/>`
  const link = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${links}/${type}" Target="${target}"/>`
  const linksOf = (...list: string[]) =>
    `<Relationships xmlns="${packaged}/relationships">${list.join('')}</Relationships>`
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook', 'sheet.main')}${part('worksheets/sheet1', 'worksheet')}${part('sharedStrings', 'sharedStrings')}</Types>`,
    '_rels/.rels': linksOf(link(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${links}"><sheets><sheet name="Animals" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': linksOf(
      link(1, 'worksheet', 'worksheets/sheet1.xml'),
      link(2, 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${[...text.keys()].map((one) => `<si><t>${one}</t></si>`).join('')}</sst>`,
  }
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(head + content)]))),
  )
}
