// Every form of a release migrates an empty database, serves, and answers as its OpenAPI document says.

import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../devserver/free-port.ts'
import { provision, startPostgres } from '../../../devserver/postgres.ts'
import { prepare, servedDocument } from '../../experiments/fuzz/environment.ts'
import { fuzz } from '../../experiments/fuzz/run.ts'
import { newClusterDirectory } from '../../harness/cluster-directory.ts'
import { changed, createContainer, installPackage, unpackTarball, type InstalledForm } from '../forms.ts'
import { noticed, type ShipLine } from '../line.ts'
import { ended, serving } from '../running.ts'

const REQUESTS = 200
const UNLIMITED = '1000000000'

type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** How many requests were answered as foretold. */
async function exercised(form: InstalledForm, postgres: Postgres, database: string): Promise<string> {
  await provision(postgres.superuserUrl, database)
  const port = await freePort()
  const env = {
    DATABASE_URL: postgres.urlOf('petstore_app', database),
    DATABASE_OWNER_URL: postgres.urlOf('petstore_owner', database),
    PORT: String(port),
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_KEY: UNLIMITED,
    RATE_LIMIT_PER_PROJECT: UNLIMITED,
    RATE_LIMIT_FAILED_AUTHENTICATIONS: UNLIMITED,
  }
  const petstore = (...args: string[]) => ended(form.commandOf(args, env))
  await petstore('migrate')
  await petstore('projects', 'create', '--slug', 'shop')
  const { key } = JSON.parse(await petstore('keys', 'create', '--project', 'shop', '--json')) as { key: string }
  const service = await serving(form.commandOf(['serve'], env))
  let figure: string
  try {
    await petstore('health')
    const origin = `http://127.0.0.1:${port}`
    const dashboard = await fetch(origin)
    if (!dashboard.ok) throw new Error(`The dashboard responded with ${dashboard.status}.`)
    const ground = await prepare(origin, key)
    const report = await fuzz({ origin, document: await servedDocument(origin), ground, requests: REQUESTS, seed: 5 })
    if (report.serverErrors + report.mismatches > 0) throw new Error(JSON.stringify(report.findings.slice(0, 3)))
    figure = `${report.requests} requests, 0 mismatches`
  } catch (error) {
    await service.stop()
    throw error
  }
  const code = await service.stop()
  if (code !== 0) throw new Error(`The ${form.name} ended with ${code} after SIGTERM.`)
  return figure
}

export const formsRun: ShipLine = {
  name: 'forms',
  title: `npm package, tarball and image migrate, serve and answer ${REQUESTS} contract requests`,
  async run(workshop) {
    const postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true })
    const figures: Record<string, string> = {}
    try {
      for (const [index, install] of [installPackage, unpackTarball, createContainer].entries()) {
        const form = install(workshop)
        try {
          figures[form.name] = await exercised(form, postgres, `form_${index}`)
        } finally {
          form.remove()
        }
      }
    } finally {
      await postgres.stop()
    }
    return figures
  },
  control: {
    title: 'a .ts import that was left in fails',
    async run(workshop) {
      const { tree } = unpackTarball(workshop)
      const broken = join(workshop.newFolder('broken'), 'petstore')
      cpSync(tree, broken, { recursive: true })
      const main = readFileSync(join(broken, 'dist/main.js'), 'utf8')
      changed(broken, 'dist/main.js', main.replace("'./program/config.js'", "'./program/config.ts'"))
      const command = { program: join(broken, 'bin/petstore'), args: ['--version'], env: { PATH: '/usr/bin:/bin' } }
      return { noticed: await noticed(() => ended(command), /Cannot find module '\S+config\.ts'/) }
    },
  },
}
