// The service in a process of its own, as `petstore serve` runs it, but with settings that only
// a measurement may change: notifications off, or keys cached for longer. Takes the environment
// of the program and `Overrides` as JSON.

import { parseConfig } from '../../../server/src/program/config.ts'
import type { Overrides } from '../../../server/src/program/overrides.ts'
import { startService } from '../../../server/src/program/serve.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as Pick<Overrides, 'isListening' | 'keyHeldMs'>
const service = await startService(parseConfig(process.env), options)
process.stdout.write(`${JSON.stringify({ msg: 'serving', port: service.port })}\n`)
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)))
