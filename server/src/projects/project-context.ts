// The context of features that work on projects: the access to the rows of one, and what its plan allows.

import type { Context } from '../foundation/context.ts'
import type { PlanRules } from './plan-rules.ts'
import type { InProject } from './scope.io.ts'

export type ProjectContext = Context & { inProject: InProject; plans: PlanRules }
