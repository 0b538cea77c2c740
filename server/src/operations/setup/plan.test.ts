import { describe, expect, test } from 'vitest'
import { APP, BACKUP, DATABASE, databaseSql, nothingYet, OWNER, type DatabaseState } from './database-sql.ts'
import { envFileOf } from './env-file.ts'
import {
  linksTo,
  pathsBelow,
  planSetup,
  stepText,
  type SetupFacts,
  type SetupStep,
  type WantedInstallation,
} from './plan.ts'
import { leftToDo } from './remaining.ts'
import { edgeSteps, formOf } from './roles.ts'

const old = { text: 'old', isNew: false }
const fresh = { text: "it's new", isNew: true }
const textsOf = (state: DatabaseState, owner = old, app = old, backup = old) =>
  databaseSql(state, { owner, app, backup }).map(({ text }) => text)

/** The state after these statements, as PostgreSQL would report it. */
const complete: DatabaseState = {
  versionNumber: 170_000,
  roles: {
    [OWNER]: [],
    [BACKUP]: [],
    [APP]: [
      'statement_timeout=1500ms',
      'lock_timeout=500ms',
      'idle_in_transaction_session_timeout=5s',
      'plan_cache_mode=force_generic_plan',
    ],
  },
  hasDatabase: true,
  isOpenToAll: false,
  canAppConnect: true,
  canBackupConnect: true,
  canBackupRead: true,
  canActAsOwner: true,
}

describe('the SQL', () => {
  test('creates roles and database where there is nothing, and hides passwords in the plan', () => {
    const statements = databaseSql(nothingYet, { owner: fresh, app: fresh, backup: fresh })
    expect(statements.map(({ text }) => text)).toEqual([
      `create role ${OWNER} login password 'it''s new'`,
      `grant ${OWNER} to current_user with inherit true, set true`,
      `create role ${APP} login password 'it''s new'`,
      `create role ${BACKUP} login password 'it''s new'`,
      `alter role ${BACKUP} bypassrls`,
      `grant pg_read_all_data to ${BACKUP}`,
      `alter role ${APP} set statement_timeout = '1500ms'`,
      `alter role ${APP} set lock_timeout = '500ms'`,
      `alter role ${APP} set idle_in_transaction_session_timeout = '5s'`,
      `alter role ${APP} set plan_cache_mode = 'force_generic_plan'`,
      `create database ${DATABASE} owner ${OWNER}`,
      `revoke connect, temporary on database ${DATABASE} from public`,
      `grant connect on database ${DATABASE} to ${APP}`,
      `grant connect on database ${DATABASE} to ${BACKUP}`,
    ])
    expect(statements.map(({ shown }) => shown).join()).not.toContain('new')
  })

  test('is empty where everything is there', () => {
    expect(textsOf(complete)).toEqual([])
  })

  test('leaves out what an administrator who is no superuser may not grant', () => {
    const texts = textsOf({ ...nothingYet, canBackupRead: true }, fresh, fresh, fresh)
    expect(texts).toContain(`create role ${BACKUP} login password 'it''s new'`)
    expect(texts.filter((text) => /bypassrls|pg_read_all_data/.test(text))).toEqual([])
  })

  test('gives a role that exists its new password', () => {
    expect(textsOf(complete, old, fresh)).toEqual([`alter role ${APP} login password 'it''s new'`])
  })

  test('closes a database that every role may connect to (negative control)', () => {
    expect(textsOf({ ...complete, isOpenToAll: true })).toEqual([
      `revoke connect, temporary on database ${DATABASE} from public`,
      `grant connect on database ${DATABASE} to ${APP}`,
      `grant connect on database ${DATABASE} to ${BACKUP}`,
    ])
  })
})

describe('the configuration file', () => {
  const requested = { BASE_URL: 'https://app.shop.example/v1', CONTACT_NAME: 'Shop # one' }

  test('contains what was requested, quoted where it must be', () => {
    expect(envFileOf(undefined, requested).text.split('\n').slice(1)).toEqual([
      'BASE_URL=https://app.shop.example/v1',
      'CONTACT_NAME="Shop # one"',
      '',
    ])
  })

  test('keeps what an operator has written, and gets what is missing', () => {
    const text = '# Mine\nBASE_URL=https://other.example/v1'
    const file = envFileOf({ text, values: { BASE_URL: 'https://other.example/v1' } }, requested)
    expect(file).toEqual({
      text: `${text}\nCONTACT_NAME="Shop # one"\n`,
      added: ['CONTACT_NAME'],
      kept: [{ name: 'BASE_URL', value: 'https://other.example/v1', requested: 'https://app.shop.example/v1' }],
    })
  })

  test('that has everything stays as it is', () => {
    const text = 'BASE_URL=https://app.shop.example/v1\nCONTACT_NAME="Shop # one"\n'
    expect(envFileOf({ text, values: requested }, requested)).toEqual({ text, added: [], kept: [] })
  })
})

const paths = pathsBelow('')
const wanted: WantedInstallation = {
  paths,
  needsUser: true,
  sql: [],
  env: 'BASE_URL=x\n',
  secrets: { PROBE_SECRET: 'hidden' },
  caddy: { text: '{}', storage: '/var/lib/caddy-data' },
  units: { 'petstore.service': '[Unit]\n' },
  links: linksTo(paths, '/opt/petstore/1.0.0', true),
}
const nothing: SetupFacts = {
  hasUser: false,
  files: new Map(),
  folders: new Set(),
  links: new Map(),
  hasSystemd: true,
}

/** The facts after these steps. */
function after(steps: readonly SetupStep[], before: SetupFacts): SetupFacts {
  const of = <Kind extends SetupStep['kind']>(kind: Kind) =>
    steps.filter((step): step is Extract<SetupStep, { kind: Kind }> => step.kind === kind)
  return {
    ...before,
    hasUser: before.hasUser || of('user').length > 0,
    files: new Map([...before.files, ...of('file').map(({ path, text }) => [path, text] as const)]),
    folders: new Set([...before.folders, ...of('folder').map(({ path }) => path)]),
    links: new Map([...before.links, ...of('link').map(({ path, target }) => [path, target] as const)]),
  }
}

describe('a plan', () => {
  test('creates everything on a machine that has nothing, in an order that works', () => {
    expect(planSetup(wanted, nothing).map(stepText)).toEqual([
      'create the system user petstore',
      'create the folder /etc/petstore (0755, root)',
      'create the folder /etc/petstore/secrets (0700, petstore)',
      'create the folder /var/lib/petstore (0700, petstore)',
      'write /etc/petstore/secrets/PROBE_SECRET (0400, petstore)',
      'write /etc/petstore/petstore.env (0640, root:petstore)',
      'write /etc/petstore/caddy.json (0644, root)',
      'create the folder /var/lib/caddy-data (0700, caddy)',
      'write /etc/systemd/system/petstore.service (0644, root)',
      'create the folder /etc/systemd/system/caddy.service.d (0755, root)',
      'write /etc/systemd/system/caddy.service.d/petstore.conf (0644, root)',
      'reload the units of systemd',
      'link /opt/petstore/current to /opt/petstore/1.0.0',
      'link /usr/local/bin/petstore to /opt/petstore/current/bin/petstore',
    ])
  })

  test('links to the executable of a package, which no upgrade replaces', () => {
    const packaged = { ...wanted, links: linksTo(paths, '/usr/lib/node_modules/petstore', false) }
    expect(planSetup(packaged, after(planSetup(wanted, nothing), nothing)).map(stepText)).toEqual([
      'link /usr/local/bin/petstore to /usr/lib/node_modules/petstore/bin/petstore.js',
    ])
  })

  test('is empty once it has been performed', () => {
    expect(planSetup(wanted, after(planSetup(wanted, nothing), nothing))).toEqual([])
  })

  test('never changes a secret, and replaces what comes with the release', () => {
    const done = after(planSetup(wanted, nothing), nothing)
    const next = { ...wanted, secrets: { PROBE_SECRET: 'another' }, units: { 'petstore.service': '[Unit]\n#2\n' } }
    expect(planSetup(next, done).map(stepText)).toEqual([
      'change /etc/systemd/system/petstore.service (0644, root)',
      'reload the units of systemd',
    ])
    // Negative control: without the file, it is written.
    const files = new Map([...done.files].filter(([path]) => !path.includes('/secrets/')))
    expect(planSetup(wanted, { ...done, files }).map(stepText)).toEqual([
      'write /etc/petstore/secrets/PROBE_SECRET (0400, petstore)',
    ])
  })

  test('has each unit with a database load the secrets that an operator has added', () => {
    const withMail = {
      ...wanted,
      secrets: { DATABASE_URL: 'hidden', DATABASE_OWNER_URL: 'hidden', SMTP_URL: 'hidden' },
      units: {
        'petstore.service': '[Service]\nLoadCredential=DATABASE_URL:x\nLoadCredential=DATABASE_OWNER_URL:x\n',
        'petstore-edge.service': '[Service]\nLoadCredential=EDGE_TOKEN:x\n',
      },
    }
    const steps = planSetup(withMail, nothing)
    const dropIns = steps.filter((step) => step.kind === 'file' && step.path.endsWith('/secrets.conf'))
    expect(dropIns).toMatchObject([
      {
        path: '/etc/systemd/system/petstore.service.d/secrets.conf',
        text: '# Written by petstore setup.\n[Service]\nLoadCredential=SMTP_URL:/etc/petstore/secrets/SMTP_URL\n',
      },
    ])
    expect(planSetup(withMail, after(steps, nothing))).toEqual([])
  })

  test('installs no units where systemd is not installed', () => {
    const text = planSetup(wanted, { ...nothing, hasSystemd: false })
      .map(stepText)
      .join('\n')
    expect(text).not.toContain('systemd')
  })
})

test('the operator learns which records to create, which settings were kept, and what to copy', () => {
  const text = leftToDo({
    isEdge: false,
    names: ['app.shop.example', '*.shops.example:443'],
    edgeAddresses: ['203.0.113.10', '2001:db8::10'],
    secretsFolder: '/etc/petstore/secrets',
    kept: [{ name: 'SIGN_UP', value: 'open', requested: 'invited' }],
    hasSystemd: false,
  })
  for (const line of [
    '  app.shop.example. A 203.0.113.10',
    '  *.shops.example. AAAA 2001:db8::10',
    '- SIGN_UP stays open; edit the configuration file if it is to be invited.',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toContain('Copy /etc/petstore/secrets')
  expect(text).toContain('systemd is not installed')
})

describe('the form of a machine', () => {
  test('is every role in one process, or roles apart, whose edge has a serve next to it', () => {
    expect(formOf('start')).toEqual({
      on: ['petstore'],
      off: ['petstore-serve', 'petstore-work', 'petstore-edge'],
      hasEdge: false,
    })
    expect(formOf('serve,work,edge')).toEqual({
      on: ['petstore-serve', 'petstore-work', 'petstore-edge'],
      off: ['petstore'],
      hasEdge: true,
    })
    expect(formOf('work')?.off).toEqual(['petstore', 'petstore-serve', 'petstore-edge'])
  })

  test.each(['', 'edge', 'work,edge', 'start,work', 'serve,serve', 'database'])('is not "%s"', (text) => {
    expect(formOf(text)).toBeUndefined()
  })

  test('shows no secret of the edge', () => {
    const edge = { token: 'hidden token', key: 'hidden key', controlPort: 3090, dataDirectory: '/var/lib/petstore' }
    const steps = edgeSteps(pathsBelow(''), edge)
    expect(steps.map(stepText).join('\n')).not.toContain('hidden')
    expect(steps.at(-1)).toMatchObject({
      path: '/etc/systemd/system/petstore-edge.service.d/roles.conf',
      text: expect.stringContaining(
        'EDGE_CONTROL_URL=http://127.0.0.1:3090 EDGE_DIRECTORY=/var/lib/petstore/edge\n',
      ) as string,
    })
    expect(stepText({ kind: 'form', on: ['petstore'], off: ['petstore-serve'] })).toBe(
      'stop and disable petstore-serve; enable and restart petstore',
    )
  })
})
