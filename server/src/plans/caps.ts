// The caps of every table: a test compares this list with PostgreSQL's catalogue. Pure.

import type { Caps } from './cap.ts'
import { capsOfAccounts, capsOfVisitors } from './caps-of-accounts.ts'
import { capsOfInstallation } from './caps-of-installation.ts'
import { capsOfProjects } from './caps-of-projects.ts'

export const caps: Caps = { ...capsOfProjects, ...capsOfAccounts, ...capsOfVisitors, ...capsOfInstallation }
