// What an installation by the book survives, on a machine with systemd in `production`: one machine is installed, and all of
// these drills run on it, one after the other.

import type { Figures } from '../../experiments/claims.ts'
import { runFiveCommands, type FiveCommands } from '../five-commands.ts'
import type { ShipLine } from '../line.ts'
import { nextRelease } from '../next-release.ts'
import { fileOf, type Workshop } from '../workshop.ts'

const drills = [
  'doctor',
  'remedies',
  'former-remedy',
  'boot',
  'boot-limited',
  'taken-port',
  'outage',
  'restarts',
  'forms',
  'upgrade',
  'upgrade-apart',
  'refused-upgrades',
  'failed-upgrade',
  'restarts-alone',
  'alerts',
  'second-edge',
  'emptied',
]

let drill: Promise<FiveCommands> | undefined

/** Of one drill; throws what went wrong in it. */
async function figuresOf(workshop: Workshop, name: string): Promise<Figures> {
  drill ??= runFiveCommands(fileOf(workshop.release(), '-linux-x64.tar.gz'), drills, nextRelease(workshop))
  const figures = (await drill).survived[name] ?? {}
  if ('fault' in figures) throw new Error(String(figures['fault']))
  return figures
}

const READY_MS = 10_000
const ENDED_SECONDS = 5
const ANSWER_MS = 2000
const BYTES_AN_HOUR = 1_000_000

function expectIn(figures: Figures, wanted: Readonly<Record<string, (value: string | number) => boolean>>): Figures {
  for (const [name, isRight] of Object.entries(wanted)) {
    const value = figures[name] ?? ''
    if (!isRight(value)) throw new Error(`${name} is ${value}: ${JSON.stringify(figures)}`)
  }
  return figures
}

const is = (expected: string | number) => (value: string | number) => value === expected
const atMost = (most: number) => (value: string | number) => Number(value) <= most
const moreThan = (least: number) => (value: string | number) => Number(value) > least

const upgraded = (figures: Figures) =>
  expectIn(figures, { failed: is(0), stray: is(0), newerMigrations: is(1), versions: is('1.0.1 → 1.0.0') })

export const survival: readonly ShipLine[] = [
  {
    name: 'fresh-doctor',
    title: 'doctor finds nothing on the installation of the document',
    run: async (workshop) => expectIn(await figuresOf(workshop, 'doctor'), { findings: is(0) }),
    control: {
      title: 'what was broken on purpose is found by its number',
      run: (workshop) => figuresOf(workshop, 'remedies'),
    },
  },
  {
    name: 'remedies',
    title: 'after each remedy that doctor prints, as printed where it is a command, the service is ready',
    run: (workshop) => figuresOf(workshop, 'remedies'),
    control: {
      title: 'what was printed once about a file that all can read leaves a service that cannot read it',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'former-remedy'), { isReady: is(0) }),
    },
  },
  {
    name: 'boot',
    title: `PostgreSQL away for 90 s at the start: ready ${READY_MS / 1000} s after it is back; a taken port: exit 1 in ${ENDED_SECONDS} s`,
    async run(workshop) {
      const taken = expectIn(await figuresOf(workshop, 'taken-port'), { code: is(1), seconds: atMost(ENDED_SECONDS) })
      const boot = expectIn(await figuresOf(workshop, 'boot'), { state: is('active'), readyMs: atMost(READY_MS) })
      return { ...boot, 'taken port, seconds': taken['seconds'] ?? '' }
    },
    control: {
      title: 'with the limit that systemd has by default, a unit that fails is given up',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'boot-limited'), { state: is('failed') }),
    },
  },
  {
    name: 'outage',
    title: `PostgreSQL away for 5 minutes: less than 1 MB an hour of log, the Error body in ${ANSWER_MS / 1000} s, and what needs no database`,
    run: async (workshop) =>
      expectIn(await figuresOf(workshop, 'outage'), {
        bytesAnHour: atMost(BYTES_AN_HOUR),
        apiStatus: is(503),
        apiMs: atMost(ANSWER_MS),
        apiParts: is('body retry-after request-id'),
        dashboardStatus: is(200),
        objectsLogged: is(0),
      }),
    control: {
      title: 'the same request before and after gets 200',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'outage'), { before: is(200), after: is(200) }),
    },
  },
  {
    name: 'emptied-machine',
    title: 'an empty machine has its sites and photos back by three commands; a key revoked since the backup stays so',
    run: async (workshop) =>
      expectIn(await figuresOf(workshop, 'emptied'), {
        commands: is(3),
        kept: is(200),
        revoked: is(401),
        photo: is(200),
        isSamePage: is(1),
      }),
    control: {
      title: 'without tombstones the key revives',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'emptied'), { revivedWithoutTombstones: is(200) }),
    },
  },
  {
    name: 'alerts-fire',
    title: 'in a Prometheus that scrapes the roles, each of the seven alerts fires by a fault, and none without',
    run: async (workshop) => expectIn(await figuresOf(workshop, 'alerts'), { alerts: is(7), before: is('') }),
    control: {
      title: 'a rule with a renamed metric stays silent under the same faults',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'alerts'), { alerts: is(7), renamed: is('') }),
    },
  },
  {
    name: 'second-edge',
    title:
      'three commands make an edge host: doctor and health find nothing wrong, and a visitor gets the site from it',
    run: async (workshop) =>
      expectIn(await figuresOf(workshop, 'second-edge'), {
        commands: is(3),
        doctor: is(0),
        findings: is(''),
        health: is(0),
        isSite: is(1),
      }),
    control: {
      title: 'doctor finds that it was revoked, and health that it was stopped',
      run: async (workshop) =>
        expectIn(await figuresOf(workshop, 'second-edge'), {
          'doctor, once revoked': is(1),
          'findings, once revoked': is('32'),
          'health, once stopped': is(1),
          'status, once stopped': is(0),
        }),
    },
  },
  {
    name: 'restarts',
    title: 'twenty restarts at 100 new connections a second: no request and no handshake fails',
    run: async (workshop) => expectIn(await figuresOf(workshop, 'restarts'), { failed: is(0), requests: moreThan(0) }),
    control: {
      title: 'without sockets that stay open, some do',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'restarts-alone'), { failed: moreThan(0) }),
    },
  },
  {
    name: 'upgrade',
    title:
      'an upgrade to a release with another migration and the way back at 100 new connections a second: none fails, no file is stale',
    run: async (workshop) => upgraded(await figuresOf(workshop, 'upgrade')),
    control: {
      title: 'without sockets that stay open, a restart alone fails some',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'restarts-alone'), { failed: moreThan(0) }),
    },
  },
  {
    name: 'upgrade-apart',
    title: 'the same with serve, work and edge apart',
    run: async (workshop) => upgraded(await figuresOf(workshop, 'upgrade-apart')),
    control: {
      title: 'without sockets that stay open, a restart alone fails some',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'restarts-alone'), { failed: moreThan(0) }),
    },
  },
  {
    name: 'refused-upgrades',
    title: 'a file that was changed, unsigned, signed by another key or interrupted, and a full disk change nothing',
    run: async (workshop) => expectIn(await figuresOf(workshop, 'refused-upgrades'), { refused: is(5) }),
    control: {
      title: 'the same command with the same file succeeds',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'upgrade'), { versions: is('1.0.1 → 1.0.0') }),
    },
  },
  {
    name: 'failed-upgrade',
    title: 'a release that does not start is followed by the one before, without a command',
    run: async (workshop) =>
      expectIn(await figuresOf(workshop, 'failed-upgrade'), { code: is(1), runsAsBefore: is(1) }),
    control: {
      title: 'one that starts runs until the operator goes back',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'upgrade'), { versions: is('1.0.1 → 1.0.0') }),
    },
  },
  {
    name: 'machine-forms',
    title: 'one machine, then serve, work and edge apart, and back, at 50 new connections a second: none fails',
    run: async (workshop) =>
      expectIn(await figuresOf(workshop, 'forms'), {
        failed: is(0),
        units: is('petstore-edge.service petstore-serve.service petstore-work.service → petstore.service'),
      }),
    control: {
      title: 'without sockets that stay open, a restart alone fails some',
      run: async (workshop) => expectIn(await figuresOf(workshop, 'restarts-alone'), { failed: moreThan(0) }),
    },
  },
]
