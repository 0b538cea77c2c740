// The place of the dialog in which a person confirms their identity, on every page. The dialog is loaded when it
// is needed; leaving the page closes it.

import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore, type ComponentType } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { answerQuestion, forgetQuestion, questionStore, type Question } from './reauthentication.ts'

/** A newer version of the dashboard has taken its place. */
function Outdated(): null {
  useEffect(() => {
    answerQuestion(false)
    forgetQuestion()
    notify({ title: texts.common.notDone, message: texts.common.outdated, isBad: true })
  }, [])
  return null
}

const load = retryWhenOnline(() => import('./reauthentication-dialog.tsx'))
const Dialog = lazy<ComponentType<{ question: Question }>>(async () => ({
  default: await load().then(
    ({ ReauthenticationDialog }) => ReauthenticationDialog,
    () => Outdated,
  ),
}))

export function ReauthenticationPlace() {
  const question = useSyncExternalStore(questionStore.subscribe, questionStore.current)
  const page = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => () => answerQuestion(false), [page])
  return <Suspense>{question && <Dialog question={question} />}</Suspense>
}
