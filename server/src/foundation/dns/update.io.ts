// `openDnsUpdates` changes TXT records by dynamic update over TCP, at the server that accepts updates
// of the zone. The zone is the one that this server names for the record, so that it need not be
// configured.

import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { decode, encode } from 'dns-packet'
import type { Lookup } from './answer.ts'
import { isWithin } from './hostname.ts'
import { lookUp } from './lookup.io.ts'
import type { Dns } from './port.ts'
import { encodeUpdate, refusalIn, signUpdate, type TxtUpdate, type TsigKey } from './update-message.ts'
import { findCut } from './zone.io.ts'

export type DnsUpdateServer = { address: string; port: number; key: TsigKey }

/** Adds or removes the record; undefined if that was done, otherwise the reason in words, without a full stop. */
export type ChangeTxt = (change: TxtUpdate['change'], name: string, value: string) => Promise<string | undefined>

const DEADLINE_MS = 5000

export function openDnsUpdates(server: DnsUpdateServer, now: () => number = Date.now): ChangeTxt {
  const where = `${server.address}:${server.port}`
  return async (change, name, value) => {
    try {
      const zone = zoneIn(await exchange(server, soaQuestion(name)), name)
      if (zone === undefined) return `The server ${where} has no zone for ${name}`
      const id = randomInt(65_536)
      const signed = signUpdate(encodeUpdate({ id, zone, name, value, change }), server.key, Math.floor(now() / 1000))
      const refusal = refusalIn(await exchange(server, signed), id)
      return refusal === null ? undefined : `The server ${where} rejected the update of ${name}: ${refusal}`
    } catch (error) {
      return `The server ${where} does not accept updates of ${name}: ${(error as Error).message}`
    }
  }
}

const soaQuestion = (name: string): Buffer =>
  encode({ id: randomInt(65_536), type: 'query', questions: [{ type: 'SOA', name }] })

/** In the answer if the name is itself a zone, otherwise in the authority section. */
function zoneIn(response: Buffer, name: string): string | undefined {
  const { answers = [], authorities = [] } = decode(response)
  const zones = [...answers, ...authorities].flatMap((record) => (record.type === 'SOA' ? [record.name] : []))
  return zones.map((zone) => zone.toLowerCase()).find((zone) => isWithin(name, zone))
}

/** One message over a connection of its own; the length comes first. */
function exchange({ address, port }: DnsUpdateServer, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true })
    let received = Buffer.alloc(0)
    const settle = (outcome: () => void) => {
      clearTimeout(deadline)
      socket.destroy()
      outcome()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const deadline = setTimeout(() => fail(new Error('no response within five seconds')), DEADLINE_MS)
    socket.on('connect', () =>
      socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])),
    )
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const length = received.length < 2 ? undefined : received.readUInt16BE(0)
      if (length !== undefined && received.length >= 2 + length) settle(() => resolve(received.subarray(2, 2 + length)))
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('it closed the connection')))
  })
}

// `missingTxt` asks every nameserver of a zone whether it shows a TXT record. No resolver is asked for
// the record: it would remember that there is none, just before there is one.

const PATIENCE_MS = 5000
const QUESTION_MS = 2000

/** Undefined if all of them show it; otherwise a reason in words, without a full stop. */
export async function missingTxt(dns: Dns, name: string, value: string): Promise<string | undefined> {
  const pace = { until: performance.now() + PATIENCE_MS, questionMs: QUESTION_MS }
  const { cut } = await findCut(dns, name, pace, false)
  if (!cut || cut.servers.length === 0) return `The nameservers of ${name} could not be found`
  const query = { name, type: 'TXT', triesTcp: true } as const
  const looks = await Promise.all(
    cut.servers.map((server) => lookUp(dns, server, query, { to: 'authoritative', pace })),
  )
  // What could not be asked from here, such as an IPv6 address without IPv6, is no evidence.
  const asked = looks.filter(({ outcome }) => outcome.kind !== 'silence' || outcome.why !== 'skipped')
  const without = asked.find((look) => !shows(look, value))
  if (without) return `The nameserver ${without.server} (${without.address}) does not show the record ${name} yet`
  return asked.length > 0 ? undefined : `No nameserver of ${name} can be asked from here`
}

const shows = ({ outcome }: Lookup, value: string): boolean =>
  outcome.kind === 'answer' && outcome.records.some((record) => record.type === 'TXT' && record.text === value)
