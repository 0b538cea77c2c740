// Five commands lead from an empty Debian to HTTPS on dashboard, API and a default site, behind a current Caddy.
// And the command that `doctor` prints about an old Caddy installs a current one.

import { runFiveCommands, runRemedy, type FiveCommands, type Replaced } from '../five-commands.ts'
import type { ShipLine } from '../line.ts'
import { fileOf, type Workshop } from '../workshop.ts'

const COMMANDS_MAX = 5
const SECONDS_MAX = 300

let drill: Promise<FiveCommands> | undefined
const drilled = (workshop: Workshop) => (drill ??= runFiveCommands(fileOf(workshop.release(), '-linux-x64.tar.gz')))

export const fiveCommands: ShipLine = {
  name: 'five-commands',
  title: `the commands of docs/operations.md, at most ${COMMANDS_MAX}, lead to HTTPS in ${SECONDS_MAX} s on an empty Debian 13`,
  async run(workshop) {
    const { commands, caddy, seconds, installSeconds, reached } = await drilled(workshop)
    if (commands > COMMANDS_MAX) throw new Error(`There are ${commands} commands.`)
    if (seconds > SECONDS_MAX) throw new Error(`It took ${seconds.toFixed(0)} s.`)
    if (isOld(caddy)) throw new Error(`They install Caddy ${caddy}.`)
    const rounded = { seconds: Math.round(seconds), 'of which packages of Debian': Math.round(installSeconds) }
    return { commands, caddy, ...rounded, ...reached }
  },
  control: {
    title: 'without its row in the host table, the handshake of the dashboard fails',
    async run(workshop) {
      const { withoutRow } = await drilled(workshop)
      if (!/EPROTO|SSL|TLS|ECONNRESET/.test(withoutRow)) throw new Error(`It ended with "${withoutRow}".`)
      return { handshake: withoutRow }
    },
  },
}

let replacement: Promise<Replaced> | undefined
const replaced = (workshop: Workshop) => (replacement ??= runRemedy(fileOf(workshop.release(), '-linux-x64.tar.gz')))

export const remedyForCaddy: ShipLine = {
  name: 'old-caddy',
  title: 'the command that doctor prints about an old Caddy installs a current one, and doctor is content',
  async run(workshop) {
    const { after, findings } = await replaced(workshop)
    if (isOld(after) || findings.length > 0)
      throw new Error(`Afterwards it is Caddy ${after}. ${findings[0]?.sentence}`)
    return { after }
  },
  control: {
    title: "Debian's own is an old one",
    async run(workshop) {
      const { before } = await replaced(workshop)
      if (!isOld(before)) throw new Error(`It is Caddy ${before}.`)
      return { before }
    },
  },
}

function isOld(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return !(Number(major) * 1000 + Number(minor) >= 2008)
}
