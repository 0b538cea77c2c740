// Bringing in a table of animals: choose the file, watch it being sent and read, see what
// became of every line.

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { useCategories } from './categories.ts'
import { EarlierImports } from './earlier-imports.tsx'
import { FileForm } from './file-form.tsx'
import { ImportHelp } from './import-help.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportSteps } from './import-steps.tsx'
import { Sending } from './upload-progress.tsx'
import { useUpload } from './use-upload.ts'
import './import.css'

const words = texts.animals.imports

export function ImportPage() {
  const { slug, mayEdit } = useProject()
  const categories = useCategories(slug)
  const upload = useUpload()
  return (
    <Page
      title={words.title}
      lead={words.lead}
      back={
        <Link to="/projects/$project/animals" params={{ project: slug }} className="crumb">
          <Icon of={ArrowLeft} size={16} />
          {words.back}
        </Link>
      }
    >
      <div className="beside">
        {!mayEdit ? (
          <div className="note">{texts.common.needsAdmin}</div>
        ) : upload.arrived !== undefined ? (
          <ImportProgress id={upload.arrived} onAnother={upload.reset} />
        ) : upload.progress !== undefined || upload.isSending ? (
          <Sending upload={upload} />
        ) : (
          <Section title={words.file}>
            <ImportSteps at="choose" />
            {upload.stopped !== undefined && (
              <div className="note bad" role="alert">
                {upload.stopped}
              </div>
            )}
            <FileForm onStart={upload.begin} />
          </Section>
        )}
        <ImportHelp categories={categories} />
      </div>
      <EarlierImports current={upload.arrived} />
    </Page>
  )
}
