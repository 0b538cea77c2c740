// Bringing in a table of animals: choose the file, watch it being sent and read, see what
// became of every line.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page, Section } from '../ui/page.tsx'
import { useCategories } from './categories.ts'
import { EarlierImports } from './earlier-imports.tsx'
import { FileForm } from './file-form.tsx'
import { ImportHelp } from './import-help.tsx'
import { ImportProgress } from './import-progress.tsx'
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
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/projects/$project/animals" params={{ project: slug }} {...props} />}
        >
          {words.back}
        </Button>
      }
    >
      {!mayEdit ? (
        <div className="note">{texts.common.needsAdmin}</div>
      ) : upload.arrived !== undefined ? (
        <ImportProgress id={upload.arrived} onAnother={upload.reset} />
      ) : upload.progress !== undefined || upload.isSending ? (
        <Sending upload={upload} />
      ) : (
        <Section title={words.choose}>
          {upload.stopped !== undefined && (
            <div className="note bad" role="alert">
              {upload.stopped}
            </div>
          )}
          <FileForm onStart={upload.begin} />
        </Section>
      )}
      <ImportHelp categories={categories} />
      <EarlierImports current={upload.arrived} />
    </Page>
  )
}
