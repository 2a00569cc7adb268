package main

import "sort"

// huffman returns the lengths of the best code of at most maxLength bits (package-merge, Larmore and Hirschberg 1990).
func huffman(c *counts) (lengths [symbols]int) {
	type parcel struct {
		weight  float64
		symbols []int
	}
	var coins []parcel
	for s, n := range c {
		coins = append(coins, parcel{n, []int{s}})
	}
	byWeight := func(p []parcel) { sort.SliceStable(p, func(i, j int) bool { return p[i].weight < p[j].weight }) }
	byWeight(coins)
	var pairs []parcel
	for range maxLength {
		all := append(append([]parcel(nil), coins...), pairs...)
		byWeight(all)
		pairs = nil
		for i := 0; i+1 < len(all); i += 2 {
			pairs = append(pairs, parcel{all[i].weight + all[i+1].weight, append(append([]int(nil), all[i].symbols...), all[i+1].symbols...)})
		}
	}
	for _, p := range pairs[:symbols-1] {
		for _, s := range p.symbols {
			lengths[s]++
		}
	}
	return lengths
}
