// An edge host, as the document says: a second machine with systemd in a network namespace of its own, three commands, and
// a visitor who gets the site from its address. The two machines reach each other over a private network.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { visit } from '../harness/visitor.ts'
import { until } from '../internet/processes.ts'
import { commandsIn } from './commands-in.ts'
import { inDebian, must, run } from './debian.ts'
import { bootMachine, type Installed } from './machine.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
const PATIENCE_MS = 120_000
const NAME = 'frankfurt-1'
/** Of the private network, and of the edge for visitors. */
const [CONTROL, EDGE, PUBLIC] = ['10.0.0.1', '10.0.0.2', '5.10.80.1']

const edgeCommands = () => commandsIn(document, '#### Commands on the edge host')
const isSetup = (command: string) => command.includes(' setup ')

/** The commands that need the network of this machine, since they install packages. */
export async function prepareEdgeHost(root: string): Promise<void> {
  for (const command of edgeCommands().filter((one) => !isSetup(one))) await must(inDebian(root, command))
}

export async function secondEdge({ machine, inTestInternet, target, site, edgeRoot }: Installed): Promise<object> {
  const networked = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const own = `nsenter -n -t ${networked.pid}`
  try {
    await until('The network of the edge', async () => (await run('sh', ['-c', `${own} true`])).code === 0)
    for (const command of [
      `ip link add edge0 type veth peer name eth0 netns ${networked.pid}`,
      `ip addr add ${CONTROL}/24 dev edge0 && ip link set edge0 up && ip route add ${PUBLIC}/32 via ${EDGE}`,
      `${own} sh -c 'ip link set lo up && ip addr add ${EDGE}/24 dev eth0 && ip addr add ${PUBLIC}/32 dev eth0'`,
      `${own} sh -c 'ip link set eth0 up && ip route add default via ${CONTROL}'`,
    ])
      await must(run('sh', ['-c', command]))
    let token = ''
    for (const command of commandsIn(document, '### An edge on a host of its own')) {
      const output = await machine.run(inTestInternet(command))
      token = /^edge_\S+/m.exec(output)?.[0] ?? token
    }
    const edge = await bootMachine(edgeRoot, 'petstore-two', networked.pid)
    try {
      const command = edgeCommands().find(isSetup) ?? ''
      const begun = performance.now()
      await edge.run(inTestInternet(command.replace('edge_…', token)))
      const examined = async () => {
        const { code, output } = await edge.attempt('petstore doctor --json')
        return {
          code,
          text: output,
          checks: [...output.matchAll(/"check":(\d+)/g)].map(([, check]) => check).join(' '),
        }
      }
      const visited = () => visit({ ...target, address: PUBLIC }, site, { path: '/' })
      await until('The site at the edge', async () => (await visited()).status === 200, PATIENCE_MS)
      const readyMs = Math.round(performance.now() - begun)
      const { code, checks, text } = await examined()
      if (checks !== '') process.stderr.write(text)
      const health = (await edge.attempt('petstore health')).code
      const isSite = (await visited()).body.includes('Willow Street') ? 1 : 0
      // Negative controls.
      await machine.run(`petstore edges revoke ${NAME}`)
      await until('That doctor finds the revocation', async () => (await examined()).code === 1, PATIENCE_MS)
      const revoked = await examined()
      await edge.run('systemctl stop petstore-edge petstore-listen.socket')
      const stopped = (await edge.attempt('petstore health')).code
      return {
        commands: edgeCommands().length,
        readyMs,
        doctor: code,
        findings: checks,
        health,
        isSite,
        'doctor, once revoked': revoked.code,
        'findings, once revoked': revoked.checks,
        'health, once stopped': stopped,
        'status, once stopped': (await visited()).status,
      }
    } finally {
      await edge.stop()
    }
  } finally {
    // The address of the listener for edges is about to go.
    await machine.run('sed -i /^CONTROL_/d /etc/petstore/petstore.env && systemctl restart petstore')
    await until(
      'That the service is ready',
      async () => (await machine.attempt('petstore health')).code === 0,
      PATIENCE_MS,
    )
    networked.kill()
  }
}
