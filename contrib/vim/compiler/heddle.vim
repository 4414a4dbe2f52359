" SPDX-License-Identifier: Apache-2.0
" :compiler heddle, then :make % — the quickfix list has the violation, and what an UNKNOWN depends on.
if exists("current_compiler") | finish | endif
let current_compiler = "heddle"
CompilerSet makeprg=heddle\ --color\ never\ --layout\ lines
CompilerSet errorformat=%f:%l:%c:\ error:\ %m,%f:%l:%c:\ undefined\ behaviour:\ %m,%f:%l:%c:\ %m,%f:%l:\ %m,%-G%.%#
