import { z } from 'zod'
import { isSchedule } from '../operations/backups/schedule.ts'
import { text, wholeNumber } from '../records/model/field-errors.ts'

const notSchedule = { code: 'validation_invalid_cron', message: 'Must be a cron expression of five fields, such as 0 4 * * *.' }

export const backupsForm = z.object({
  cron: text((cron) => (cron.trim() === '' || isSchedule(cron.trim()) ? undefined : notSchedule)).transform((cron) => cron.trim()),
  cronMaxKeep: wholeNumber(1, 1000),
})
