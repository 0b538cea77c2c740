// XLSX files that are made to exhaust memory, of twenty kinds: each is read in the confined process, which never exceeds
// 256 MB, since the reader gives up first. Prints the peak of each.

import { zipSync, strToU8 } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { UnfitFile } from '../../src/imports/spreadsheet/limits.ts'
import { readConfined, type ProcessLimits } from '../../src/imports/spreadsheet/process.io.ts'

const MB = 1_048_576
const relations = `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`
const book = `<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`

const workbook = (parts: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({ 'xl/workbook.xml': book, 'xl/_rels/workbook.xml.rels': relations, ...parts }).map(
        ([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part],
      ),
    ),
    { level: 1 },
  )
const worksheet = (xml: string) => workbook({ 'xl/worksheets/sheet1.xml': xml })
const long = (bytes: number) => 'a'.repeat(bytes)
const strings = (inner: string) => `<sst>${inner}</sst>`
const plain = sheet(row(1, cell('A1', 'Name')))
const referring = sheet(
  Array.from({ length: 20_000 }, (_, at) => row(at + 1, '<c t="s"><v>0</v></c>'.repeat(20))).join(''),
)
const entities = `<!DOCTYPE a [<!ENTITY b "${long(1000)}">${'<!ENTITY c "&b;&b;&b;&b;">'.repeat(10)}]>`

const bombs: Readonly<Record<string, () => Uint8Array>> = {
  'a sheet of one endless text': () => worksheet(sheet(row(1, cell('A1', long(66 * MB))))),
  'a sheet of blanks': () => worksheet(`<worksheet>${' '.repeat(66 * MB)}</worksheet>`),
  'shared strings without end': () =>
    workbook({
      'xl/sharedStrings.xml': strings(`<si><t>${long(66 * MB)}</t></si>`),
      'xl/worksheets/sheet1.xml': plain,
    }),
  'millions of shared strings': () =>
    workbook({
      'xl/sharedStrings.xml': strings('<si><t>a</t></si>'.repeat(2_000_000)),
      'xl/worksheets/sheet1.xml': plain,
    }),
  'one long string referred to from every cell': () =>
    workbook({
      'xl/sharedStrings.xml': strings(`<si><t>${long(32_767)}</t></si>`),
      'xl/worksheets/sheet1.xml': referring,
    }),
  'a cell in XFD1048576': () => worksheet(sheet(row(1_048_576, cell('XFD1048576', 'x')))),
  'a row of a million cells': () =>
    worksheet(sheet(row(1, '<c t="inlineStr"><is><t>x</t></is></c>'.repeat(1_000_000)))),
  'millions of empty rows': () => worksheet(sheet('<row/>'.repeat(5_000_000))),
  'millions of short rows': () => worksheet(sheet('<row><c><v>1</v></c></row>'.repeat(2_000_000))),
  'entities of entities': () => worksheet(`${entities}${sheet(row(1, cell('A1', '&c;')))}`),
  'an external entity': () => worksheet(`<!DOCTYPE a SYSTEM "file:///etc/passwd">${plain}`),
  'elements inside elements': () => worksheet('<a>'.repeat(1_000_000)),
  'an endless attribute': () => worksheet(`<worksheet a="${long(66 * MB)}"/>`),
  'a million attributes': () =>
    worksheet(`<worksheet ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
  'an endless name': () => worksheet(`<${long(66 * MB)}/>`),
  'an endless comment': () => worksheet(`<!--${long(66 * MB)}-->${plain}`),
  'an endless CDATA section': () => worksheet(sheet(row(1, `<c><v><![CDATA[${long(66 * MB)}]]></v></c>`))),
  'a million styles': () =>
    workbook({
      'xl/styles.xml': `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(500_000)}</cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': plain,
    }),
  'a hundred thousand sheets': () =>
    workbook({
      'xl/workbook.xml': `<workbook><sheets>${'<sheet name="A" r:id="r1"/>'.repeat(100_000)}</sheets></workbook>`,
    }),
  'thousands of entries': () =>
    workbook(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a/${at}`, 'a']))),
}

async function* once(bytes: Uint8Array) {
  yield Buffer.from(bytes)
}

type Measured = { outcome: string; peak: number }

async function measure(make: () => Uint8Array, limits: Partial<ProcessLimits> = {}): Promise<Measured> {
  let peak = 0
  const onPeak = (bytes: number) => (peak = bytes)
  const all = { resident: MEMORY_MAX, heapMegabytes: 128, milliseconds: 100_000, onPeak, ...limits }
  const outcome = await readConfined(
    all,
    once(make()),
    { sheet: undefined, rowsMax: 100_000, today: '2026-01-01' },
    async () => {},
  ).then(
    () => 'read',
    (error: unknown) => (error instanceof UnfitFile ? error.message : String(error)),
  )
  return { outcome, peak }
}

const MEMORY_MAX = 256 * MB
const shown: string[] = []
const show = (name: string, { outcome, peak }: Measured) =>
  shown.push(`${name}: ${Math.round(peak / MB)} MB, ${outcome.slice(0, 60)}`)
afterAll(() => void process.stdout.write(`peak memory of the process that reads spreadsheets\n${shown.join('\n')}\n`))

test('there are twenty kinds', () => expect(Object.keys(bombs)).toHaveLength(20))

/** What was said of each that has been measured. */
const outcomes = new Map<string, string>()

test.each(Object.entries(bombs))('%s is rejected or read, within 256 MB', { timeout: 120_000 }, async (name, make) => {
  const measured = await measure(make)
  outcomes.set(name, measured.outcome)
  show(name, measured)
  // It was neither killed for its memory nor did its heap run out.
  expect(measured.outcome).toMatch(/^(read|The file|Your plan|A cell|This is)/)
  expect(measured.outcome).not.toContain('too much memory')
  expect(measured.peak).toBeGreaterThan(10 * MB)
  expect(measured.peak).toBeLessThanOrEqual(MEMORY_MAX)
})

test('a limit that was exceeded is named', { timeout: 120_000 }, async () => {
  const outcomeOf = async (name: string) =>
    outcomes.get(name) ?? (await measure(bombs[name] ?? (() => new Uint8Array()))).outcome
  expect(await outcomeOf('a row of a million cells')).toContain('60 columns')
  expect(await outcomeOf('an external entity')).toContain('document type')
})

test('without limits, the same reader takes more (negative control)', { timeout: 240_000 }, async () => {
  const most = Number.MAX_SAFE_INTEGER
  const sheetLimits = { bytesMax: most, columnsMax: most, rowsMax: most, cellMax: most }
  // Behind so many rows it is none that may contain titles, of which each would be looked up.
  const short = Array.from({ length: 600 }, (_, at) => row(at + 1, cell(`A${at + 1}`, 'Name'))).join('')
  const row3 = () => worksheet(sheet(short + row(601, '<c t="inlineStr"><is><t>x</t></is></c>'.repeat(2_000_000))))
  const measured = await measure(row3, {
    resident: most,
    heapMegabytes: 4096,
    milliseconds: 200_000,
    sheet: sheetLimits,
  })
  show('a row of two million cells, without limits', measured)
  expect(measured.peak).toBeGreaterThan(MEMORY_MAX)
})
