import { writeFileSync } from 'node:fs'

/** Settings as `node --env-file` reads them. They hold passwords, so the file is for its owner alone. */
export function writeSettings(file: string, settings: Readonly<Record<string, string | number>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
}
