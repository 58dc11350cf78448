import { defineConfig } from 'vite'
import { pageConfig } from './build/page-config.ts'

/** Vite options of the back-office: a page and a bundle of its own, built into the folder `_` beside the dashboard. */
export default defineConfig({ ...pageConfig('back-office', '../dist/_'), publicDir: false })
