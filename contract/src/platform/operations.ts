// All operations of `/platform/v1`, in the order of the OpenAPI document.

import { accountAuditOperations } from './account-audit.ts'
import { accountDeletionOperations } from './account-deletion.ts'
import { accountOperations } from './accounts.ts'
import { animalChangeOperations } from './animal-changes.ts'
import { animalStatusOperations } from './animal-statuses.ts'
import { animalOperations } from './animals.ts'
import { auditOperations } from './audit.ts'
import { deploymentOperations } from './deployments.ts'
import { domainSharingOperations } from './domain-sharing.ts'
import { domainTracingOperations } from './domain-tracing.ts'
import { domainOperations } from './domains.ts'
import { emailChangeOperations } from './email-change.ts'
import { importReviewOperations } from './import-review.ts'
import { importOperations } from './imports.ts'
import { keyOperations } from './keys.ts'
import { memberOperations } from './members.ts'
import { notificationOperations } from './notifications.ts'
import type { PlatformOperation } from './operation.ts'
import { orderHoldOperations } from './order-holds.ts'
import { orderMoveOperations } from './order-moves.ts'
import { orderNoteOperations } from './order-notes.ts'
import { orderOperations } from './orders.ts'
import { overviewOperations } from './overview.ts'
import { passkeyOperations } from './passkeys.ts'
import { photoOperations } from './photos.ts'
import { planRequestOperations } from './plan-requests.ts'
import { profileOperations } from './profiles.ts'
import { projectOperations } from './projects.ts'
import { reauthenticationOperations } from './reauthentication.ts'
import { recoveryOperations } from './recovery.ts'
import { searchOperations } from './search.ts'
import { signInLinkOperations } from './sign-in-links.ts'
import { signUpOperations } from './sign-up.ts'
import { watchingOperations } from './watching.ts'

export const platformOperations: readonly PlatformOperation[] = [
  ...signUpOperations,
  ...accountOperations,
  ...passkeyOperations,
  ...reauthenticationOperations,
  ...signInLinkOperations,
  ...recoveryOperations,
  ...emailChangeOperations,
  ...accountDeletionOperations,
  ...accountAuditOperations,
  ...projectOperations,
  ...planRequestOperations,
  ...overviewOperations,
  ...searchOperations,
  ...memberOperations,
  ...notificationOperations,
  ...keyOperations,
  ...auditOperations,
  ...watchingOperations,
  ...animalOperations,
  ...animalChangeOperations,
  ...profileOperations,
  ...photoOperations,
  ...importOperations,
  ...importReviewOperations,
  ...orderOperations,
  ...orderMoveOperations,
  ...orderHoldOperations,
  ...orderNoteOperations,
  ...animalStatusOperations,
  ...deploymentOperations,
  ...domainOperations,
  ...domainSharingOperations,
  ...domainTracingOperations,
]
