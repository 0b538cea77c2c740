// The usual stack, written as most would write it: Fastify, a pool, one query per request,
// responses serialised by a JSON schema. It has no keys, no row-level security, no ETag and no
// next page: what it lacks is what ours adds.

import Fastify from 'fastify'
import pg from 'pg'

// The ids fit a JavaScript number, and the service returns them as numbers too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })

const querystring = {
  type: 'object',
  required: ['projectId'],
  properties: {
    projectId: { type: 'integer', minimum: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
}
const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
}
const schema = { querystring, response: { 200: { type: 'array', items: pet } } }

const app = Fastify()
app.get('/pets', { schema }, async ({ query }) => {
  const { rows } = await pool.query(
    `select id, name, category_id as "categoryId", status from pets
     where project_id = $1 order by id desc limit $2`,
    [query.projectId, query.limit],
  )
  return rows
})

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
