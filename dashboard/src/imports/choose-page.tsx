// The first step of an import: the file, and what kind of file it may be. Below are the imports before.

import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { downloadFile } from '../ui/download.ts'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { FileChoice } from './file-choice.tsx'
import { ImportFrame } from './import-frame.tsx'
import { addressOf } from './steps.ts'
import { Sending } from './upload-progress.tsx'
import { useUpload } from './use-upload.ts'

const words = texts.imports

export function ChoosePage() {
  const { slug } = useProject()
  const navigate = useNavigate()
  const upload = useUpload(
    (importId) => void navigate({ to: addressOf.columns, params: { project: slug, import: importId } }),
  )
  return (
    <ImportFrame at="choose">
      <div className="beside">
        <Section title={words.chooseTitle}>
          {upload.progress !== undefined || upload.isSending ? (
            <Sending upload={upload} />
          ) : (
            <>
              {upload.stopped !== undefined && (
                <div className="note bad" role="alert">
                  {upload.stopped}
                </div>
              )}
              <FileChoice onFile={upload.begin} />
            </>
          )}
        </Section>
        <Help />
      </div>
      <EarlierImports />
    </ImportFrame>
  )
}

const Help = () => (
  <Section title={words.helpTitle}>
    <ul className="import-help">
      {words.help.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    <div>
      <Button
        variant="default"
        leftSection={<Icon of={Download} size={18} />}
        onClick={() =>
          downloadFile(words.exampleFile, new Blob([`${words.exampleLines.join('\r\n')}\r\n`], { type: 'text/csv' }))
        }
      >
        {words.example}
      </Button>
    </div>
  </Section>
)
