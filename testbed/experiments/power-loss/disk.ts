// A disk whose power can be cut: ext4 on a loop device, shut down by the ioctl that file system tests use. From that
// moment nothing reaches the device, neither data nor journal; mounted again, the file system has what had reached it
// before. Killing PostgreSQL alone would prove nothing: the kernel would still write what it holds. Needs root.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type CuttableDisk = {
  folder: string
  /** Everything that was written so far reaches the device. */
  sync(): void
  cut(): void
  /** After a cut, once no process uses the folder. */
  powerOn(): Promise<void>
  close(): Promise<void>
}

const BYTES = 1024 ** 3
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: the journal is not written either. */
const SHUTDOWN = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`

export function openDisk(): CuttableDisk {
  const place = mkdtempSync(join(tmpdir(), 'petstore-power-loss-'))
  chmodSync(place, 0o755)
  const [image, folder] = [join(place, 'disk.img'), join(place, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, BYTES)
  mkdirSync(folder)
  run('mkfs.ext4', '-q', image)
  const device = run('losetup', '--find', '--show', image)
  run('mount', device, folder)
  const unmount = async () => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        run('umount', folder)
        return
      } catch (error) {
        // Processes that were killed are still ending.
        if (attempt === 100) throw error
        await pause(100)
      }
    }
  }
  return {
    folder,
    sync: () => void run('sync', '-f', folder),
    cut: () => void run('python3', '-c', SHUTDOWN, folder),
    async powerOn() {
      await unmount()
      run('mount', device, folder)
    },
    async close() {
      await unmount()
      run('losetup', '--detach', device)
      rmSync(place, { recursive: true, force: true })
    },
  }
}
