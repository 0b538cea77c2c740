// The questions that visitors are asked with their request: the usual ones of the kind of store, or the owner's own.

import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { QuestionKind, VisitorQuestion } from '@petstore-platform/contract/platform/questions'
import { questionsIn } from '@petstore-platform/contract/platform/usual-questions'
import { MessageCircleQuestion } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { faultAt, type FormProps } from './form.ts'
import { Group } from './group.tsx'
import { changedAt, movedUp, newQuestion, withoutAt } from './question-list.ts'

const words = texts.site.asked
/** In the order of the words: a kind that the contract adds does not compile until it has a name. */
const kinds: Record<QuestionKind, string> = words.kinds
const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }))

export function QuestionFields({ fields: { questions, language }, faults, edit, isFixed }: FormProps) {
  const { kind } = useProject()
  const usual = questionsIn(null, kind, language)
  return (
    <Group title={words.title} icon={MessageCircleQuestion}>
      <p className="quiet small plain">{questions === null ? words.usualHelp : words.help}</p>
      {questions === null ? (
        <ol className="site-questions plain">
          {usual.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
      ) : (
        questions.map((question, index) => (
          // Questions have no names of their own; a text field keeps its focus while its question is edited.
          <QuestionField
            key={`question ${index}`}
            question={question}
            number={index + 1}
            isFixed={isFixed}
            onChange={(change) => edit({ questions: changedAt(questions, index, change) })}
            onUp={() => edit({ questions: movedUp(questions, index) })}
            onRemove={() => edit({ questions: withoutAt(questions, index) })}
          />
        ))
      )}
      {faults.questions !== undefined && (
        <p role="alert" className="site-fault small">
          {faultAt(faults, 'questions')}
        </p>
      )}
      {!isFixed && (
        <div className="row tight">
          {questions === null ? (
            <Button variant="default" onClick={() => edit({ questions: [...usual] })}>
              {words.own}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={() => edit({ questions: [...questions, newQuestion] })}>
                {words.add}
              </Button>
              <Button variant="subtle" onClick={() => edit({ questions: null })}>
                {words.usual}
              </Button>
            </>
          )}
        </div>
      )}
    </Group>
  )
}

type QuestionProps = {
  question: VisitorQuestion
  number: number
  isFixed: boolean
  onChange: (change: Partial<VisitorQuestion>) => void
  onUp: () => void
  onRemove: () => void
}

function QuestionField({ question, number, isFixed, onChange, onUp, onRemove }: QuestionProps) {
  const { kind, text, isRequired, choices } = question
  return (
    <fieldset className="site-question stack tight">
      <legend className="visually-hidden">{words.question(number)}</legend>
      <TextInput
        label={words.question(number)}
        value={text}
        readOnly={isFixed}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <NativeSelect
        label={words.kind}
        value={kind}
        disabled={isFixed}
        data={kindChoices}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as QuestionKind })}
      />
      {kind === 'choice' && (
        <Textarea
          label={words.choices}
          description={words.choicesHelp}
          rows={3}
          value={choices.join('\n')}
          readOnly={isFixed}
          onChange={({ currentTarget }) => onChange({ choices: currentTarget.value.split('\n') })}
        />
      )}
      <Checkbox
        label={words.required}
        checked={isRequired}
        disabled={isFixed}
        onChange={({ currentTarget }) => onChange({ isRequired: currentTarget.checked })}
      />
      {!isFixed && (
        <div className="row tight">
          {number > 1 && (
            <Button variant="subtle" size="compact-sm" onClick={onUp} aria-label={words.up(number)}>
              {words.moveUp}
            </Button>
          )}
          <Button variant="subtle" size="compact-sm" onClick={onRemove} aria-label={words.removeNumber(number)}>
            {words.remove}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
