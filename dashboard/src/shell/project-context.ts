// The current project, and the role of the person in it.

import type { Received } from '@petstore-platform/contract/platform/client'
import { createContext, useContext } from 'react'

export type Project = Received<'getProject'>

export const ProjectContext = createContext<Project | undefined>(undefined)

export function useProject(): Project & { mayEdit: boolean; isOwner: boolean } {
  const project = useContext(ProjectContext)
  if (!project) throw new Error('This page belongs below a project.')
  return { ...project, mayEdit: project.role !== 'viewer', isOwner: project.role === 'owner' }
}
