// The service of the line `password-queue` in a process of its own, so that its memory is measured without that of the load: creates the
// people, and answers every message with its port and its memory.
//
//   node testbed/safety/password-service.ts DATABASE_URL PEOPLE [arrival]

import { insertAccount } from '../../server/src/accounts/account-queries.ts'
import { createPasswords } from '../../server/src/accounts/sign-in/password.io.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { startService } from '../../server/src/program/serve.ts'
import { ArrivalQueue } from './arrival-queue.ts'
import { personOf, type ServiceFigures } from './password-attack.ts'

const [url = '', people = '0', order] = process.argv.slice(2)
const passwords = createPasswords(order === 'arrival' ? { queue: new ArrivalQueue() } : {})
const service = await startService(
  parseConfig({
    DATABASE_URL: url,
    HOST: '127.0.0.1',
    PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
    DNS_RESOLVERS: 'unreachable=127.0.0.1:1',
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1000000',
  }),
  { passwords, logger: { level: 'silent' } },
)
for (let n = 0; n < Number(people); n += 1) {
  const { email, password } = personOf(n)
  const hash = await passwords.hash(password, { isKnown: true, group: 'operator' })
  await insertAccount(service.database.run, { id: newId('acc'), email, name: 'Mia', password: hash })
}

process.on('message', () => {
  const figures: ServiceFigures = { port: service.port, memoryMb: process.memoryUsage().rss / 1024 / 1024 }
  process.send?.(figures)
})
process.on('disconnect', () => void service.stop())
process.send?.('ready')
