// The form of a machine: every role in one process (`start`), or some of the roles apart. Pure.

import type { SetupPaths, SetupStep } from './plan.ts'

/** Units of the roles that a machine runs, and the others. */
export type MachineForm = Readonly<{ on: readonly string[]; off: readonly string[]; hasEdge: boolean }>

const roles = ['serve', 'work', 'edge']
const unitOf = (role: string) => (role === 'start' ? 'petstore' : `petstore-${role}`)

/** Undefined if they are no roles that one machine can have: its edge receives everything from its own `serve`. */
export function formOf(text: string): MachineForm | undefined {
  const wanted = text.split(',')
  const isApart = new Set(wanted).size === wanted.length && wanted.every((role) => roles.includes(role))
  const hasEdge = wanted.includes('edge')
  if (text !== 'start' && (!isApart || (hasEdge && !wanted.includes('serve')))) return undefined
  const off = ['start', ...roles].filter((role) => !wanted.includes(role))
  return { on: wanted.map(unitOf), off: off.map(unitOf), hasEdge }
}

type LocalEdge = Readonly<{ token: string; key: string; controlPort: number; dataDirectory: string }>

/** An edge next to `serve`, which continues with the files that the edge of `start` has on the disk. */
export function edgeSteps(paths: SetupPaths, { token, key, controlPort, dataDirectory }: LocalEdge): SetupStep[] {
  const secret = (name: string, text: string) =>
    ({ kind: 'file', path: `${paths.secrets}/${name}`, mode: 0o400, owner: 'petstore', text, isNew: true }) as const
  const dropIns = `${paths.units}/petstore-edge.service.d`
  const control = `EDGE_CONTROL_URL=http://127.0.0.1:${controlPort}`
  const text = `# Written by petstore setup --roles.\n[Service]\nEnvironment=${control} EDGE_DIRECTORY=${dataDirectory}/edge\n`
  return [
    secret('EDGE_TOKEN', token),
    secret('EDGE_KEY', key),
    { kind: 'folder', path: dropIns, mode: 0o755, owner: 'root' },
    { kind: 'file', path: `${dropIns}/roles.conf`, mode: 0o644, owner: 'root', text, isNew: true },
  ]
}
