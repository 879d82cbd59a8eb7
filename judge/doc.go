// Package judge turns the results of probes into what a link's history means: its
// state, and when it is to be probed again. It holds the rules of OUTCOMES sections
// 1.2, 5 and 5.1 as pure functions: it reads no clock (every time is an argument or
// part of a result) and knows no store.
//
// A caller keeps one [Judgement] for each link and one [BackOff] for each host:
//
//	j = j.After(&result, run)
//	j.Next = policy.NextCheck(&j, &result, link)
//
// The files, in reading order:
//
//	judgement.go   Judgement and After: what one result changes
//	rule.go        the sentence that says why a state is what it is
//	schedule.go    when a link is due: Policy, NextCheck, Due
//	backoff.go     hosts that asked to be left alone
//	threshold.go   strikes, and how many of each kind mean dead
//	state.go       the words: State, Change
package judge
