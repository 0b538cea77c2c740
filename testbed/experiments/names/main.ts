// Parses very many generated hostnames.

import { readHostname } from '../../../server/src/domains/naming/names.ts'
import { fuzzNames } from '../../harness/names/fuzz.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const flags = readFlags('names')
const seed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31))

const start = performance.now()
const report = fuzzNames({ count: Number(flags.count), seed, read: readHostname })
const seconds = (performance.now() - start) / 1000
const { findings, found, ...figures } = report
const faults = findings.map(({ kind, typed, why }) => `${kind}: ${JSON.stringify(typed)}: ${why}`)
conclude(flags, { ...figures, found, seconds, seed }, ...(found > 0 ? [`${found} findings`] : []), ...faults)
