import { defineConfig } from 'vite'
import { pageConfig } from './build/page-config.ts'

export default defineConfig(pageConfig('.', 'dist'))
