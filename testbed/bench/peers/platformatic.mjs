// Platformatic DB without its supervisor: one process, REST only, as fast as its
// own options make it (no log, no GraphQL, no change events).

import { create } from '@platformatic/db'

const app = await create(import.meta.dirname, {
  server: { hostname: '127.0.0.1', port: Number(process.env.PORT), logger: { level: 'error' } },
  db: {
    connectionString: process.env.DATABASE_URL,
    graphql: false,
    openapi: true,
    events: false,
    include: { pets: true },
  },
  watch: false,
})
await app.start({ listen: true })
