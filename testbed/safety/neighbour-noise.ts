// A neighbour at its limits, from a process of its own: it opens streams, imports files, presses Re-verify and reserves
// animals without pause, whatever the responses, and counts which limit refused how many of them. Lists and pages are sent
// by open-load.ts.

import { request as send, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { NoisyNeighbour } from './neighbourhood.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'

export type NoiseErrand = { port: number; sitePort: number; seconds: number; noisy: NoisyNeighbour }

/** By kind: how many were accepted, and how many refused with which message. */
export type NoiseOutcome = Record<string, { accepted: number; refused: Record<string, number> }>

/** After a refusal; the client does not wait for as long as it should. */
const PAUSE_MS = 20
const PART = `name,categoryId,status\r\n${'Rex,1,available\r\n'.repeat(20_000)}`

type Sent = {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** An address of loopback: the connections of one are limited. */
  from?: string
}
type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

const cut: Answer = { status: 0, headers: {}, text: '' }

/** A stream stays open, and is read: its head is the answer. */
function ask({ body, from, ...wanted }: Sent): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const sent = send({ host: '127.0.0.1', localAddress: from, agent: false, ...wanted }, (response) => {
    const { statusCode: status = 0, headers } = response
    response.on('error', () => resolve(cut))
    if (headers['content-type'] === 'text/event-stream') {
      response.resume()
      return resolve({ status, headers, text: '' })
    }
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => (text += piece))
    response.on('end', () => resolve({ status, headers, text }))
  })
  sent.on('error', () => resolve(cut))
  sent.end(body)
  return promise
}

class Noise {
  readonly outcome: NoiseOutcome = {}
  readonly #errand: NoiseErrand
  readonly #endsAt: number

  constructor(errand: NoiseErrand) {
    this.#errand = errand
    this.#endsAt = performance.now() + errand.seconds * 1000
  }

  get #isOver(): boolean {
    return performance.now() > this.#endsAt
  }

  async #count(kind: string, sent: Sent): Promise<Answer | undefined> {
    const answer = await ask(sent)
    const counts = (this.outcome[kind] ??= { accepted: 0, refused: {} })
    if (answer.status >= 200 && answer.status < 400) {
      counts.accepted += 1
      return answer
    }
    const why = reasonIn(answer)
    counts.refused[why] = (counts.refused[why] ?? 0) + 1
    await pause(PAUSE_MS)
    return undefined
  }

  /** As a member of the project. */
  #member(member: number, method: string, path: string, body?: string): Sent {
    const { port, noisy } = this.#errand
    const type = path.includes('/parts/') ? 'text/csv' : 'application/json'
    const sent: Sent = {
      port,
      method,
      path: `/platform/v1${path.replace('{project}', noisy.slug)}`,
      headers: { Cookie: noisy.cookies[member % noisy.cookies.length] ?? '', Origin: DASHBOARD_ORIGIN },
      from: `127.0.2.${(member % 8) + 1}`,
    }
    if (body === undefined) return sent
    const length = String(Buffer.byteLength(body))
    return { ...sent, body, headers: { ...sent.headers, 'Content-Type': type, 'Content-Length': length } }
  }

  /** As a visitor of the site, each from another network. */
  #visitor(number: number, method: string, path: string, body?: string): Sent {
    const { sitePort: port, noisy } = this.#errand
    const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
    const headers = { Host: noisy.host, 'X-Forwarded-For': address }
    if (body === undefined) return { port, method, path, headers }
    return { port, method, path, headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }, body }
  }

  async watch(): Promise<void> {
    for (let round = 0; !this.#isOver; round += 1) {
      await this.#count('streams', this.#member(round, 'GET', `/watch?topics=project:${this.#errand.noisy.slug}`))
    }
  }

  async importFiles(member: number): Promise<void> {
    const path = '/projects/{project}/imports'
    while (!this.#isOver) {
      const begun = await this.#count('imports', this.#member(member, 'POST', path, '{"onBadLine":"refuse"}'))
      if (!begun) continue
      const { id } = JSON.parse(begun.text) as { id: string }
      await this.#count('parts of imports', this.#member(member, 'PUT', `${path}/${id}/parts/1`, PART))
      await this.#count('started imports', this.#member(member, 'POST', `${path}/${id}/start`, '{"parts":1}'))
    }
  }

  async verify(member: number): Promise<void> {
    const { hostnames } = this.#errand.noisy
    for (let round = member; !this.#isOver; round += 1) {
      const path = `/projects/{project}/domains/${hostnames[round % hostnames.length]}/verify`
      await this.#count('Re-verify', this.#member(member, 'POST', path))
    }
  }

  async reserve(lane: number): Promise<void> {
    const home = await ask(this.#visitor(lane, 'GET', '/'))
    const paths = [...new Set(home.text.match(/\/animals\/animal-\d+-\d+/g))]
    for (let round = 0; !this.#isOver; round += 1) {
      const number = 4 * round + lane
      const path = paths[number % paths.length] ?? '/'
      const page = await ask(this.#visitor(number, 'GET', path))
      const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
      const contact = `visitor-${number}@visitor.example`
      const form = new URLSearchParams({ name: 'Mia', contact, message: '', website: '', token })
      await this.#count('reservations', this.#visitor(number, 'POST', path, form.toString()))
    }
  }
}

/** What the response says: a page says it to a person, and only one that names a time is about a rate. */
function reasonIn({ status, headers, text }: Answer): string {
  if (status === 0) return 'connection cut'
  if (headers['content-type']?.startsWith('application/json')) return (JSON.parse(text) as { message: string }).message
  return `${status}, ${headers['retry-after'] === undefined ? 'a cap' : 'a limit per minute'}`
}

async function makeNoise(errand: NoiseErrand): Promise<NoiseOutcome> {
  const noise = new Noise(errand)
  // Several at a time of each, except streams, which stay open; by other members, since each has a quota of requests.
  await Promise.all([
    noise.watch(),
    ...[0, 1].map((member) => noise.importFiles(member)),
    ...[2, 3, 4, 5].map((member) => noise.verify(member)),
    ...[0, 1, 2, 3].map((lane) => noise.reserve(lane)),
  ])
  return noise.outcome
}

process.on('message', (errand: NoiseErrand) => void makeNoise(errand).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
