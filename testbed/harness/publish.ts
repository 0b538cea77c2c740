// Publishes a site directly, without a worker and without a check, for tests and measurements
// that begin after a deployment.

import { contentJson, digestOf, type SiteContent } from '../../server/src/sites/publishing/content.ts'
import * as deployments from '../../server/src/sites/publishing/deployment-queries.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import type { InProject, ProjectId } from '../../server/src/projects/scope.io.ts'

export const publishAtOnce = (inProject: InProject, project: ProjectId, content: SiteContent, number = 1) =>
  inProject(project, async (db) => {
    const id = newId('dep')
    const json = contentJson(content)
    const made = { id, digest: digestOf(json), content: json, logo: content.logo, createdBy: 'operator' }
    await deployments.insertDeployment(db, project, made)
    await deployments.setState(db, project, id, { state: 'succeeded', reason: null, isFinal: true })
    await deployments.publish(db, project, id, number)
  })
