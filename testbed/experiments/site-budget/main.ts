// Cost of the home page of a site with 48 animals: its size in transfer, whether it loads
// scripts or anything from elsewhere, and how many requests per second the edge serves, next to
// a bare Fastify route that sends the same bytes. Both are loaded in turn, several times, so
// that a busy machine affects both.
//
//   npm run experiment -- site-budget --help
//
// It fails if the page has grown too large, or the edge too slow.

import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { publishAtOnce } from '../../harness/publish.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import type { SiteContent } from '../../../server/src/sites/publishing/content.ts'
import { startEdge } from '../../../server/src/program/edge.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { openDatabase, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import * as pets from '../../../server/src/animals/pet-queries.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { elementsOf } from '../../../server/src/sites/pages/well-formed.ts'
import { brotliDecompressSync } from 'node:zlib'
import { readFlags } from '../flags.ts'

const BYTES_MAX = 30_000
const RATIO_LEAST = 0.5
const ROUNDS = 3
const ANIMALS = 48
const CONNECTIONS = 32
const headers = { Host: 'budget.petstore.localhost', 'Accept-Encoding': 'br' }

type Figures = {
  compressedBytes: number
  rawBytes: number
  scripts: number
  outside: number
  edgePerSecond: number
  barePerSecond: number
  ratio: number
}

const flags = readFlags('site-budget')

async function measure(seconds: number): Promise<Figures> {
  await using postgres = await startTemporaryPostgres()
  const { appUrl: url } = await postgres.createDatabase()
  const database = openDatabase({ url, poolMax: 2, onError: () => {} })
  await furnish(database)
  await database.close()
  const config = parseConfig({
    DATABASE_URL: url,
    EDGE_PORT: '0',
    PLATFORM_HOST: 'petstore.localhost',
    LOG_LEVEL: 'error',
  })
  const edge = await startEdge(config)
  try {
    return await compare(edge.port, seconds)
  } finally {
    await edge.stop()
  }
}

async function furnish(database: Database): Promise<void> {
  const project = await createProject(database, { slug: 'budget', name: 'Budget' })
  const settings = {
    ...firstSettings('Willow Street Shelter'),
    tagline: 'A home for every animal.',
    about: 'We *care*.\n\n'.repeat(20),
  }
  const categories = ['Dogs', 'Cats', 'Birds', 'Rabbits', 'Fish'].map((name, index) => ({ id: BigInt(index), name }))
  const content: SiteContent = { settings, categories, logo: null }
  await publishAtOnce(inProjectOf(database), project, content)
  const names = Array.from(
    { length: ANIMALS },
    (_, index) => `${hash('sha256', String(index), 'base64').slice(0, 8)} of Riverside`,
  )
  await pets.insert(
    database.run,
    names.map((name, index) => ({
      project,
      pet: { name, categoryId: BigInt(index % 5), status: 'available' as const },
    })),
  )
}

async function compare(edgePort: number, seconds: number): Promise<Figures> {
  const compressed = await home(edgePort)
  const page = brotliDecompressSync(compressed).toString()
  const shown = elementsOf(page).filter(({ attributes }) => attributes.get('class') === 'card').length
  if (shown !== ANIMALS) throw new Error(`the page shows ${shown} animals, not ${ANIMALS}`)
  const bare = fastify()
  bare.get('/', (_, reply) =>
    reply.header('Content-Type', 'text/html; charset=utf-8').header('Content-Encoding', 'br').send(compressed),
  )
  await bare.listen({ host: '127.0.0.1', port: 0 })
  const { port: barePort } = bare.server.address() as { port: number }

  const rates: Record<'edge' | 'bare', number[]> = { edge: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await rateOf(barePort, seconds))
    rates.edge.push(await rateOf(edgePort, seconds))
  }
  await bare.close()
  const [edgePerSecond, barePerSecond] = [median(rates.edge), median(rates.bare)]
  return {
    compressedBytes: compressed.length,
    rawBytes: Buffer.byteLength(page),
    scripts: elementsOf(page).filter(
      // A data block for search engines is not executed.
      ({ name, attributes }) => name === 'script' && attributes.get('type') !== 'application/ld+json',
    ).length,
    outside: outsideOf(page),
    edgePerSecond,
    barePerSecond,
    ratio: Math.round((edgePerSecond / barePerSecond) * 100) / 100,
  }
}

async function home(port: number): Promise<Buffer> {
  const pending = get({ host: '127.0.0.1', port, path: '/', headers })
  const [response] = await once(pending, 'response')
  return buffer(response as NodeJS.ReadableStream)
}

/** Resources that a browser would load automatically from elsewhere. */
const outsideOf = (page: string) =>
  elementsOf(page).filter(
    ({ name, attributes }) =>
      name !== 'a' &&
      attributes.get('rel') !== 'canonical' &&
      /^(\w+:)?\/\//.test(attributes.get('href') ?? attributes.get('src') ?? ''),
  ).length

async function rateOf(port: number, seconds: number): Promise<number> {
  return (await rateByWrk(port, seconds)) ?? rateByLoop(port, seconds)
}

/** Undefined if wrk is not installed. */
async function rateByWrk(port: number, seconds: number): Promise<number | undefined> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const wrk = spawn('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...lines, `http://127.0.0.1:${port}/`])
  const isThere = await once(wrk, 'spawn').then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  const output = await text(wrk.stdout)
  const bad = /Non-2xx or 3xx responses: (\d+)/.exec(output)
  if (bad) throw new Error(`${bad[1]} answers were not pages`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}

async function rateByLoop(port: number, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const until = performance.now() + seconds * 1000
  let answers = 0
  const load = async () => {
    while (performance.now() < until) {
      const [response] = await once(get({ host: '127.0.0.1', port, path: '/', headers, agent }), 'response')
      await buffer(response as NodeJS.ReadableStream)
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, load))
  agent.destroy()
  return answers / seconds
}

const median = (values: readonly number[]) => Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0)

function faultsOf({ compressedBytes, scripts, outside, ratio }: Figures): string[] {
  return [
    ...(compressedBytes > BYTES_MAX ? [`${compressedBytes} bytes are more than ${BYTES_MAX}`] : []),
    ...(scripts > 0 ? [`there are ${scripts} scripts`] : []),
    ...(outside > 0 ? [`${outside} things come from elsewhere`] : []),
    ...(ratio >= RATIO_LEAST ? [] : [`the edge reaches only ${ratio} of a bare route`]),
  ]
}

const report = (figures: Figures, wrong: readonly string[]) =>
  [
    `Home page with 48 animals: ${figures.compressedBytes} bytes (br), ${figures.rawBytes} raw; ` +
      `${figures.scripts} scripts, ${figures.outside} requests elsewhere.`,
    `Edge ${figures.edgePerSecond}/s, bare route ${figures.barePerSecond}/s: ratio ${figures.ratio}.`,
    ...(wrong.length > 0 ? wrong.map((fault) => `FAILED: ${fault}`) : ['Within the budget.']),
    '',
  ].join('\n')

const figures = await measure(Number(flags.seconds))
const faults = faultsOf(figures)
process.stdout.write(flags.json ? `${JSON.stringify({ ...figures, faults })}\n` : report(figures, faults))
process.exitCode = faults.length > 0 ? 1 : 0
