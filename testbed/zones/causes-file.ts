// Writes docs/domain-causes.md (`npm run generate -- causes`). The advice to owners in each case, advice.txt,
// needs the test internet: `npm run generate -- advice`.

import { writeGenerated } from '../../tools/generated-file.ts'
import { corpus } from './corpus.ts'
import { CAUSES_FILE, printCauses } from './print.ts'

writeGenerated('causes', CAUSES_FILE, printCauses(corpus))
