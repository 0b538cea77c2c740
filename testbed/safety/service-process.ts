// One process of the service, for processes.ts: reports its ports and the lines of its log, and ends with its parent.

import { startAdminListener } from '../../server/src/foundation/http/admin-listener.io.ts'
import { startHere } from './processes.ts'
import type { Seam } from './seams.ts'

const { env, seam } = JSON.parse(process.argv[2] ?? '{}') as { env: Record<string, string>; seam?: Seam }
const service = await startHere(env, seam, (line) => void process.send?.({ line }))
const admin = await startAdminListener({ host: '127.0.0.1', port: 0, isReady: async () => true })
// As a loop without an end would.
process.on('message', ({ blockMs }: { blockMs: number }) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs)
})
process.on('disconnect', () => void service.stop().then(() => process.exit()))
process.send?.({ port: service.port, adminPort: admin.port })
