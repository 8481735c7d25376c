module github.com/zricethezav/gitleaks/v8

go 1.19
