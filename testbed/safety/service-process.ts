// One process of the service, for processes.ts: reports its port and the lines of its log, and ends with its parent.

import { startHere } from './processes.ts'
import type { Seam } from './seams.ts'

const { env, seam } = JSON.parse(process.argv[2] ?? '{}') as { env: Record<string, string>; seam?: Seam }
const service = await startHere(env, seam, (line) => void process.send?.({ line }))
process.on('disconnect', () => void service.stop().then(() => process.exit()))
process.send?.({ port: service.port })
