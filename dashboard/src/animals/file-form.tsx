// Chooses the file of an import, and how to treat rows that cannot be read.

import type { OnBadLine } from '@petstore-platform/contract/platform/imports'
import { Button, Radio } from '@mantine/core'
import { FileSpreadsheet, Upload } from 'lucide-react'
import { useState, type DragEvent, type FormEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'

const words = texts.animals.imports
const choices: Record<OnBadLine, string> = { refuse: words.refuse, skip: words.skip }

export function FileForm({ onStart }: { onStart: (file: File, onBadLine: OnBadLine) => void }) {
  const [file, setFile] = useState<File>()
  const [onBadLine, setOnBadLine] = useState<OnBadLine>('refuse')
  const fault = file && faultOf(file)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (file && fault === undefined) onStart(file, onBadLine)
  }
  return (
    <form className="stack" onSubmit={onSubmit}>
      <FileField file={file} onFile={setFile} />
      {fault !== undefined && (
        <div className="note warn" role="alert">
          {fault}
        </div>
      )}
      <Radio.Group label={words.onBad} value={onBadLine} onChange={(value) => setOnBadLine(value)}>
        <div className="stack tight import-choices">
          {Object.entries(choices).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
      <div>
        <Button type="submit" leftSection={<Icon of={Upload} size={18} />} disabled={!file || fault !== undefined}>
          {words.start}
        </Button>
      </div>
    </form>
  )
}

function FileField({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null) => {
    const first = files?.[0]
    if (first) onFile(first)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <label
      className={`import-drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <input
        type="file"
        className="visually-hidden"
        accept=".csv,text/csv"
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
      <Glyph of={file ? FileSpreadsheet : Upload} />
      {file ? (
        <>
          <strong>{words.chosen(file.name, words.bytes(file.size))}</strong>
          <span className="import-choose">{words.other}</span>
        </>
      ) : (
        <>
          <span className="import-choose">{words.choose}</span>
          <span className="quiet">{words.orDrop}</span>
        </>
      )}
    </label>
  )
}

/** Only what can be seen from outside; what is in the file is for the server to judge. */
function faultOf({ name, size }: File): string | undefined {
  if (!/\.(csv|txt)$/i.test(name)) return words.notCsv
  return size === 0 ? words.emptyFile : undefined
}
