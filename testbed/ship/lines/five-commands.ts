// Line 1: five commands lead from an empty Debian to HTTPS on dashboard, API and a default site.

import { runFiveCommands, type FiveCommands } from '../five-commands.ts'
import type { ShipLine } from '../line.ts'
import { fileOf, type Workshop } from '../workshop.ts'

const COMMANDS_MAX = 5
const SECONDS_MAX = 300

let drill: Promise<FiveCommands> | undefined
const drilled = (workshop: Workshop) => (drill ??= runFiveCommands(fileOf(workshop.release(), '-linux-x64.tar.gz')))

export const fiveCommands: ShipLine = {
  line: 1,
  title: `the commands of docs/operations.md, at most ${COMMANDS_MAX}, lead to HTTPS in ${SECONDS_MAX} s on an empty Debian 13`,
  async run(workshop) {
    const { commands, seconds, installSeconds, reached } = await drilled(workshop)
    if (commands > COMMANDS_MAX) throw new Error(`There are ${commands} commands.`)
    if (seconds > SECONDS_MAX) throw new Error(`It took ${seconds.toFixed(0)} s.`)
    const rounded = { seconds: Math.round(seconds), 'of which packages of Debian': Math.round(installSeconds) }
    return { commands, ...rounded, ...reached }
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
